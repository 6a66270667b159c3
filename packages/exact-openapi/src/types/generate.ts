// Generates the types of a document. (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint, nor an
// open set to its known values.)
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { type Document, isExact, modelOf } from '../model/index.ts'
import { BIGINTS, BYTES, withKeys } from './schema-writer.ts'
import { withSecurity } from './security.ts'
import { receivedDocument, sentDocument } from './typed-document.ts'

/** Of the document, as the library takes it. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
type Node = any

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
const number = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword)
const bytes = ts.factory.createTypeReferenceNode('Uint8Array')
const nothing = ts.factory.createLiteralTypeNode(ts.factory.createNull())

const unionOf = (values: readonly string[]) =>
  ts.factory.createUnionTypeNode(
    values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value))),
  )

/** The server sends the known values of an open set, and no others. */
function transform(schema: Node) {
  const { type, format, nullable, 'x-extensible-enum': known } = schema
  if ((type && isExact(schema)) || format === BIGINTS) {
    return ts.factory.createUnionTypeNode([
      bigint,
      ...(format === BIGINTS ? [number] : []),
      ...(nullable ? [nothing] : []),
    ])
  }
  if (format === BYTES) return bytes
  return known ? unionOf(known) : undefined
}

const nodesOf = (document: Node) =>
  openapiTS(document, { transform, defaultNonNullable: false, emptyObjectsUnknown: true })

/** What handlers receive, where it differs from what clients send. */
async function receivedTypes(document: Document): Promise<string> {
  const received = receivedDocument(document)
  const isNeeded = (node: ts.Node) =>
    ts.isInterfaceDeclaration(node) && ['components', 'operations'].includes(node.name.text)
  const nodes = (await nodesOf(received)).filter(isNeeded)
  const text = Object.keys(received.paths as object).length > 0 ? astToString(nodes).replace(/^(?=.)/gm, '    ') : ''
  return `/** Requests as handlers receive them, where they differ: with what has a default. */
export namespace received {
${text || '    export interface operations {}\n'}}
`
}

/** The library's own is not for a type that may be null, and it is missing if only received types need it. */
const theirs = /^type WithRequired<.*?^};\n/ms
const withRequired = `type WithRequired<T, K extends PropertyKey> = T extends object ? T & { [P in K & keyof T]-?: T[P] } : T
`

/** As a module: `paths`, `components`, `operations`, and what handlers receive instead, in `received`. */
export async function typesOf(document: Document): Promise<string> {
  const nodes = withSecurity(await nodesOf(sentDocument(document)), modelOf(document).operations)
  const text = withKeys(astToString(nodes) + (await receivedTypes(document))).replace(theirs, '')
  return text.includes('WithRequired<') ? text + withRequired : text
}
