// The request that an operation's examples describe.
import {
  type Exampled,
  exampleValue,
  fieldsOf,
  inputParts,
  isExact,
  isHidden,
  type Media,
  type Operation,
  type Parameter,
  propertyOf,
  type Schema,
} from 'exact-openapi'
import { type Input, isForm, isJson } from '#browser/request.js'

export { targetOf } from '#browser/request.js'

/** The parameters in the shape that handlers take; `type` is the media type of the body. */
export type ExampleRequest = Input

/** With every required parameter, and every other one that has an example. */
export function exampleRequest({ parameters, body }: Operation): ExampleRequest {
  const request: ExampleRequest = { path: {}, query: {}, headers: {}, cookies: {} }
  for (const parameter of parameters) {
    const { name, required, schema } = parameter
    const example = parameterExample(parameter) ?? (required ? exampleValue(schema) : undefined)
    const hasDigits = [schema, schema?.items].some((one) => one && isExact(one))
    if (example !== undefined) request[inputParts[parameter.in]][name] = hasDigits ? exact(example) : example
  }
  const media = body?.media[0]
  if (!media) return request
  const isShown = body.required || givenIn(media).length > 0
  return { ...request, type: media.type, body: isShown ? bodyExample(media) : undefined }
}

/** The first example that fits the schema, as it is sent, or else one made of the schema. */
export function bodyExample(media: Media): unknown {
  const { type, schema } = media
  const given = givenIn(media).map((value) => sentOf(schema, value))
  if (!schema || !(isJson(type) || isForm(type))) return given[0] ?? exampleValue(schema)
  return given.find((value) => isOf(schema, value)) ?? exampleValue(schema)
}

/** Whether a value is of the type, and has what is required. */
function isOf(schema: Schema, value: unknown): boolean {
  if (schema.type === 'array') return Array.isArray(value)
  if (schema.type !== 'object') return true
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return isObject && fieldsOf(schema, 'request').required.every((name) => Object.hasOwn(Object(value), name))
}

/** One that its schema names, if it names values. */
function parameterExample(parameter: Parameter): unknown {
  const [given] = givenIn(parameter)
  const values: readonly unknown[] | undefined = parameter.schema?.enum
  return given === undefined || !values || values.map(String).includes(String(given)) ? given : values[0]
}

const givenIn = ({ examples, schema }: Exampled & { schema: Schema | undefined }): unknown[] =>
  [...examples.map(({ value }) => value), schema?.example].filter((value) => value !== undefined)

/** A value without what is readOnly. */
export function sentOf(schema: Schema | undefined, value: unknown): unknown {
  if (!schema || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => sentOf(schema.items, one))
  const fields = Object.entries(value).map(([name, one]) => [name, one, propertyOf(schema, name)] as const)
  const sent = fields.filter(([, , property]) => !isHidden(property, 'request'))
  return Object.fromEntries(sent.map(([name, one, property]) => [name, sentOf(property, one)]))
}

const exact = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(exact) : Number.isInteger(value) ? BigInt(value as number) : value
