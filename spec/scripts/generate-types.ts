// Generates the types of each document, what every operation of the public one has, and its operations for the client.
// (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint, nor an open set to its known values.)
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { parseDocument } from '../document.ts'
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

/** Texts by their paths in the project at a folder, and what is wrong with the documents. */
export async function generateTypes(root: string): Promise<{ files: Record<string, string>; errors: string[] }> {
  const files: Record<string, string> = {}
  const errors: string[] = []
  for (const document of await documentsIn(root)) {
    try {
      Object.assign(files, await generated(root, document))
    } catch (error) {
      errors.push(`${document}: ${(error as Error).message}`)
    }
  }
  return { files, errors }
}

async function documentsIn(root: string): Promise<string[]> {
  const folders = ['spec', 'domains/api'].filter((folder) => existsSync(`${root}/${folder}`))
  const names = folders.map(async (folder) => (await readdir(`${root}/${folder}`)).map((name) => `${folder}/${name}`))
  return (await Promise.all(names)).flat().filter((path) => path.endsWith('.yaml'))
}

async function generated(root: string, document: string): Promise<Record<string, string>> {
  const isPublic = basename(document) === 'openapi.yaml'
  const given = await readFile(`${root}/${document}`, 'utf8')
  const text = isPublic ? complete(given) : given
  const read = parseDocument(text, document)
  const types = astToString(await typesOf(sentDocument(read)))
  const header = `// Generated from ${basename(document)} by \`npm run types\`. Do not edit.\n\n`
  const hasClient = isPublic && existsSync(`${root}/packages/client`)
  return {
    [document]: text,
    [document.replace(/\.yaml$/, '.d.ts')]: header + types + (await receivedTypes(read)),
    ...(hasClient && { 'packages/client/operations.ts': clientOf(read) }),
  }
}
