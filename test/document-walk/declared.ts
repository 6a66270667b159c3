// Compares what the server sends with what the document declares.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Media, type Operation, plainSchema, type Response, type Schema } from 'exact-openapi/model'

export const responseOf = ({ responses }: Pick<Operation, 'responses'>, status: string): Response | undefined =>
  responses.find((one) => one.status === status)

export const jsonOf = (response: Response | undefined): Media | undefined =>
  response?.media.find(({ type }) => type === 'application/json')

const ajv = addFormats.default(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }))
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
  return copy.type === 'object' ? { unevaluatedProperties: false, ...copy } : copy
}
