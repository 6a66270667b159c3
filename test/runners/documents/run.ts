// Documents of others: what their pages show is sent to a mock of each, and, in the languages of the pages, to a recorder. Their
// types compile.
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Document, loadDocument } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import { typesOf } from 'exact-openapi/types'
import { compilerErrors } from 'test-kit/compiler-errors'
import { refusedSamples, wrongExamples } from '../../../packages/openapi-pages/src/check.ts'
import { bodyExample } from '../../../packages/openapi-pages/src/example-request.ts'
import { recorded } from '../../packages/openapi-pages/recorder/index.ts'
import { shown } from '../../packages/openapi-pages/recorder/languages.ts'
import { type Picture, picturesOf } from '../../packages/openapi-pages/recorder/pictures.ts'
import { packages, versionOf } from '../install.ts'
import type { Runner } from '../types.ts'

const name = '@readme/oas-examples'

/** Why a mock may not start, or refuse a sample. */
const reasons: readonly RegExp[] = [
  / is not supported: /, // with what to write instead
  /is not in components securitySchemes$/,
  /: 415 Send the body as /, // XML
]

export const documents: Runner = {
  name: 'documents',
  version: versionOf(name),
  needs: ['curl', 'python3', 'go'],
  async run(report) {
    const outcome = { cases: 0, failures: 0, warnings: 0, skipped: 0, problems: [] as string[] }
    const { DOCUMENTS } = process.env // a folder
    const [folder, parts] = DOCUMENTS
      ? [`${DOCUMENTS}/`, ['']]
      : [`${await packages()}${name}/`, ['3.0/json/', '3.1/json/']]
    const files = parts.flatMap((part) => readdirSync(folder + part).map((file) => part + file))
    const pictures: Picture[] = []
    const types: string[] = []
    for (const file of files.filter((name) => /\.(ya?ml|json)$/.test(name))) {
      const document = loadDocument(pathToFileURL(folder + file))
      const wrong = wrongExamples(document) // of the authors
      for (const line of wrong) appendFileSync(`${report}examples.txt`, `${file}: ${line}\n`)
      outcome.warnings += wrong.length
      const refused = await refusedSamples(document).catch((error) => [`no mock: ${(error as Error).message}`])
      for (const line of refused) appendFileSync(`${report}refused.txt`, `${file}: ${line}\n`)
      types.push(`${report}${types.length}.ts`) // of a declaration file, errors would be hidden
      writeFileSync(String(types.at(-1)), await typesOf(document))
      const impossible = impossibleIn(document)
      const unexplained = refused
        .filter((line) => !reasons.some((one) => one.test(line)))
        .filter((line) => !impossible.some((place) => line.startsWith(`${place}: 400 `)))
      const { own, bodiless, unlike, pictures: its } = picturesOf(document)
      outcome.skipped += own
      outcome.problems.push(...[...unexplained, ...bodiless, ...unlike].map((line) => `${file}: ${line}`))
      pictures.push(...its.map((picture) => ({ ...picture, name: `${file}: ${picture.name}` })))
    }
    const errors = compilerErrors(...types)
    if (errors) outcome.problems.push(errors.slice(0, 1000))
    for (const language of shown) {
      const { sent, differences } = await recorded(language, pictures)
      outcome.cases += sent
      outcome.failures += differences.length
      outcome.problems.push(...differences.map((line) => `${language.label}: ${line}`))
    }
    return outcome
  },
}

/** The bodies for which no value was found that their schemas accept. */
const impossibleIn = (document: Document) =>
  modelOf(document).operations.flatMap(({ method, path, body }) =>
    (body?.media ?? []).filter((media) => bodyExample(media).violation).map(({ type }) => `${method} ${path}, ${type}`),
  )
