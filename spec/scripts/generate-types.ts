// Writes the types of each document beside it, and what every operation has into the public one, whose operations it
// writes into the client. With --check, compares instead and exits 1 when anything differs.
// (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint, nor an open set to its known values.)
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { loadDocument } from '../document.ts'
import type { Document } from '../model/index.ts'
import { complete } from './complete-document.ts'
import { clientOf } from './generate-client.ts'
import { receivedDocument, sentDocument } from './typed-document.ts'

/** Of the document, as the library takes it. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
type Node = any

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
const bytes = ts.factory.createTypeReferenceNode('Uint8Array')
const nothing = ts.factory.createLiteralTypeNode(ts.factory.createNull())

const unionOf = (values: readonly string[]) =>
  ts.factory.createUnionTypeNode(
    values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value))),
  )

/**
 * The server sends the known values of an open set, and no others. Bytes are a whole body: within JSON they are text.
 */
function transform(schema: Node, { path = '' }: { path?: string }) {
  const { type, format, nullable, 'x-extensible-enum': known } = schema
  if (type === 'integer' && format === 'int64') {
    return nullable ? ts.factory.createUnionTypeNode([bigint, nothing]) : bigint
  }
  if (type === 'string' && format === 'binary' && /content\/(?!application~1(.*\+)?json)[^/]+$/.test(path)) return bytes
  return known ? unionOf(known) : undefined
}

const typesOf = (document: Node) => openapiTS(document, { transform, defaultNonNullable: false })

/** What handlers receive, where it differs from what clients send. */
async function receivedTypes(document: Document): Promise<string> {
  const received = receivedDocument(document)
  const isNeeded = (node: ts.Node) =>
    ts.isInterfaceDeclaration(node) && ['components', 'operations'].includes(node.name.text)
  const nodes = (await typesOf(received)).filter(isNeeded)
  const text = Object.keys(received.paths as object).length > 0 ? astToString(nodes).replace(/^(?=.)/gm, '    ') : ''
  return `/** Requests as handlers receive them, where they differ: with what has a default. */
export namespace received {
${text || '    export interface operations {}\n'}}
`
}

/** Writes a file, or complains that it differs. */
async function write(file: string, wanted: string) {
  if ((await readFile(file, 'utf8').catch(() => '')) === wanted) return
  if (!process.argv.includes('--check')) return writeFile(file, wanted)
  console.error(`${file} is not up to date: run "npm run types" and commit the result.`)
  process.exitCode = 1
}

const folders = ['spec', 'domains/api'].filter((folder) => existsSync(folder))
const documents = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
)
for (const document of documents) {
  try {
    await generate(document)
  } catch (error) {
    console.error(`${document}: ${(error as Error).message}`)
    process.exitCode = 1
  }
}

async function generate(document: string) {
  const isPublic = basename(document) === 'openapi.yaml'
  const given = await readFile(document, 'utf8')
  const text = isPublic ? complete(given) : given
  await write(document, text)
  const read = loadDocument(pathToFileURL(document))
  const types = astToString(await typesOf(sentDocument(read)))
  await write(
    document.replace(/\.yaml$/, '.d.ts'),
    `// Generated from ${basename(document)} by \`npm run types\`. Do not edit.\n\n${types}${await receivedTypes(read)}`,
  )
  if (isPublic && existsSync('packages/client')) await write('packages/client/operations.ts', clientOf(read))
}
