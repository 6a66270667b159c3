// Compares what the server sends with what the document declares.
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import {
  type Exampled,
  type Media,
  type Model,
  type Operation,
  plainSchema,
  type Response,
  type Schema,
} from 'exact-openapi'

export const responseOf = ({ responses }: Pick<Operation, 'responses'>, status: string): Response | undefined =>
  responses.find((one) => one.status === status)

export const jsonOf = (response: Response | undefined): Media | undefined =>
  response?.media.find(({ type }) => type === 'application/json')

/** Every example, with its schema. */
export function examplesIn({ operations, responses, sharedSchemas }: Model): { example: unknown; schema: Schema }[] {
  const inSchemas = sharedSchemas.flatMap(schemasWithin).map((schema) => ({ examples: [], schema }))
  const all: (Exampled & { schema: Schema | undefined })[] = [
    ...operations.flatMap(({ parameters, body }) => [...parameters, ...(body?.media ?? [])]),
    ...[...operations.flatMap((one) => one.responses), ...responses.values()].flatMap(({ headers, media }) => [
      ...headers,
      ...media,
    ]),
    ...inSchemas,
  ]
  return all.flatMap(({ examples, schema }) => {
    if (!schema) return []
    const values = examples.map(({ value }) => value)
    return [...values, ...(schema.example === undefined ? [] : [schema.example])].map((example) => ({
      example,
      schema,
    }))
  })
}

function schemasWithin(schema: Schema): Schema[] {
  const { items, properties = {} } = schema
  return [schema, ...[...Object.values(properties), ...(items ? [items] : [])].flatMap(schemasWithin)]
}

const ajv = addFormats.default(new Ajv({ strict: true, allErrors: true }))
ajv.addVocabulary(['example', 'x-extensible-enum'])
const compiled = new WeakMap<Schema, object>()

/** The errors of a value of this schema. Objects are closed: the server must not send properties that are not listed. */
export function validationErrors(value: unknown, schema: Schema): string | undefined {
  const json = compiled.get(schema) ?? (closed(plainSchema(schema)) as object)
  compiled.set(schema, json)
  return ajv.validate(json, value) ? undefined : ajv.errorsText()
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
  return copy.type === 'object' ? { additionalProperties: false, ...copy } : copy
}
