// Starts each document of a folder as it is, with handlers that echo and guards that let everyone pass, and renders its
// reference. Prints what became of it, and counts.
//
//   node --import=./test/fixtures/typescript.js test/runners/foreign/acceptance.ts FOLDER
import { readdirSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Document, modelOf } from 'exact-openapi'
import { referenceHtml } from '../../../packages/openapi-pages/src/reference/html/reference.ts'
import { referenceMarkdown } from '../../../packages/openapi-pages/src/reference/markdown.ts'
import { readReference } from '../../../packages/openapi-pages/src/reference/read.ts'
import { loadDocument } from '../../../spec/document.ts'
import { documentApp } from '../../fixtures/document-app.ts'

const folder = String(process.argv[2])
const counts: Record<string, number> = {}
for (const name of readdirSync(folder).sort()) {
  const [outcome, details] = await outcomeOf(pathToFileURL(`${folder}/${name}`))
  counts[outcome] = (counts[outcome] ?? 0) + 1
  console.log([name, outcome, details].join('\t'))
}
console.log(counts)

async function outcomeOf(file: URL): Promise<[outcome: string, details: string]> {
  try {
    const document = loadDocument(file)
    await start(document)
    const missing = missingFrom(document)
    return missing ? ['started, with a faulty reference', missing] : ['started', '']
  } catch (error) {
    return ['rejected', (error as Error).message]
  }
}

async function start(document: Document): Promise<void> {
  const guards = Object.fromEntries([...modelOf(document).securitySchemes.keys()].map((name) => [name, () => []]))
  const { app } = await documentApp(document, { guards })
  await app.close()
}

/** What the reference lacks or has twice. */
function missingFrom(document: Document): string {
  const reference = readReference(document)
  const { html } = referenceHtml(reference, {
    root: './',
    isApiKnown: true,
    path: '/docs',
    more: [],
    hasChangelog: true,
  })
  const text = referenceMarkdown(reference)
  const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => String(id))
  const { operations } = modelOf(document)
  return [
    ...operations.filter(({ id }) => !ids.includes(id)).map(({ id }) => `${id} is missing`),
    ...operations.filter(({ path }) => !text.includes(path)).map(({ id }) => `${id} is missing in Markdown`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`),
  ]
    .slice(0, 3)
    .join('; ')
}
