// What the document declares, with every $ref resolved.
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { type Document, operationsOf } from '../../spec/model/document.ts'

/** A parameter, a header or a body. */
export interface Described {
  schema: { type?: string }
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Header extends Described {
  required?: boolean
}

export interface Declared {
  operationId: string
  method: string
  path: string
  parameters: (Described & { name: string })[]
  responses: Record<string, { headers?: Record<string, Header>; content?: Record<string, Described> }>
}

/** Closes objects to unlisted properties: the server must not send undeclared ones. */
export function inlined(document: Document): Document {
  const copyOf = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copyOf)
    if (typeof node !== 'object' || node === null) return node
    if ('$ref' in node) return copyOf(named(document, String(node.$ref)))
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, copyOf(value)]))
    return copy.type === 'object' ? { additionalProperties: false, ...copy } : copy
  }
  return copyOf(document) as Document
}

function named(document: Document, ref: string): unknown {
  const [, ...keys] = ref.split('/')
  return keys.reduce((node: unknown, key) => (node as Record<string, unknown>)[key], document)
}

export function declaredBy(document: Document): Declared[] {
  return operationsOf(inlined(document)).map(({ method, path, operation }) => {
    const { operationId, parameters = [], responses } = operation as unknown as Declared
    return { operationId, method, path, parameters, responses }
  })
}

/** Every example within a node, with its schema. */
export function examplesWithin(node: unknown): { example: unknown; schema: object }[] {
  if (typeof node !== 'object' || node === null) return []
  const { schema = node, example, examples = {} } = node as Partial<Described>
  const values = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)]
  return [...values.map((value) => ({ example: value, schema })), ...Object.values(node).flatMap(examplesWithin)]
}

const ajv = addFormats.default(new Ajv({ strict: true, allErrors: true }))
ajv.addVocabulary(['example', 'x-extensible-enum'])

/** The errors of a value of this schema. */
export function mistakesIn(value: unknown, schema: object): string | undefined {
  return ajv.validate(schema, value) ? undefined : ajv.errorsText()
}
