// Sends the samples of each document of a folder, in each language and with each media type, and compares what arrives with the
// picture of the request. Prints what differs, and counts.
//
//   node --import=./test/loader/typescript.js test/runners/foreign/recorder.ts FOLDER [LANGUAGE]...
import { readdirSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { loadDocument } from 'exact-openapi'
import { recorded } from '../../packages/openapi-pages/recorder/index.ts'
import { more, shown } from '../../packages/openapi-pages/recorder/languages.ts'
import { picturesOf } from '../../packages/openapi-pages/recorder/pictures.ts'

/** In one process. */
const MOST = 300

const [folder = '', ...labels] = process.argv.slice(2)
const pictures = readdirSync(folder)
  .filter((name) => /\.(ya?ml|json)$/.test(name))
  .flatMap((name) => {
    try {
      const { own, bodiless, pictures, unlike } = picturesOf(loadDocument(pathToFileURL(`${folder}/${name}`)))
      for (const line of [...bodiless, ...unlike]) console.log(`${name}: ${line}`)
      if (own > 0) console.log(`${name}: ${own} operations have samples of their own`)
      return pictures.map((picture) => ({ ...picture, name: `${name}: ${picture.name}` }))
    } catch (error) {
      console.log(`${name}: not read: ${(error as Error).message}`)
      return []
    }
  })
for (const language of [...shown, ...more].filter(({ label }) => labels.length === 0 || labels.includes(label))) {
  let count = 0
  const wrong: string[] = []
  for (let from = 0; from < pictures.length; from += MOST) {
    const { sent, differences } = await recorded(language, pictures.slice(from, from + MOST))
    count += sent
    wrong.push(...differences)
  }
  for (const line of wrong) console.log(`${language.label}: ${line}`)
  console.log(`${language.label}: ${count} sent, ${wrong.length} differences, of ${pictures.length}`)
}
