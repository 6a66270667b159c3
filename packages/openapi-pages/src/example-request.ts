// The request that an operation's examples describe.
import type { Finding } from 'exact-openapi'
import { type Direction, firstViolation, type Generated, generateExample, withoutHidden } from 'exact-openapi/examples'
import {
  anything,
  type Exampled,
  inputParts,
  isExact,
  type Media,
  type Operation,
  type Parameter,
  propertyOf,
  type Schema,
} from 'exact-openapi/model'
import { anyFile } from '#browser/body.js'
import { isComposite } from '#browser/json.js'
import { isForm, isJson, isMultipart } from '#browser/media-types.js'
import { type Input, targetOf } from '#browser/request.js'
import { encodingOf, isFileBody } from './encoding.ts'
import { xmlOf } from './xml.ts'

/** The parameters in the shape that handlers take; `type` is the media type of the body. */
export type ExampleRequest = Input

/** With every required parameter, every other one that has an example, and the body that the page shows. */
export function exampleRequest(
  { parameters, body, method }: Operation,
  media: Media | undefined = body?.media[0],
): ExampleRequest {
  const request: ExampleRequest = { path: {}, query: {}, headers: {}, cookies: {} }
  for (const parameter of parameters) {
    const { name, required, schema } = parameter
    const { value } = required || givenIn(parameter).length > 0 ? sendableExample(parameter) : { value: undefined }
    const hasDigits = [schema, schema?.items].some((part) => part && isExact(part))
    if (value !== undefined) request[inputParts[parameter.in]][name] = hasDigits ? exact(value) : value
  }
  if (!media || method === 'HEAD') return request
  const { value } = isFileBody(media) ? { value: anyFile } : bodyExample(media)
  return { ...request, type: media.type, body: value, encoding: encodingOf(media) }
}

/** One that makes a segment of a path, if it has to: at worst, the name of the parameter. */
function sendableExample(parameter: Parameter): Generated {
  const { name, schema = anything } = parameter
  if (parameter.in !== 'path') return parameterExample(parameter)
  const isSegment = ({ value }: Generated) => {
    try {
      return targetOf({ path: `/{${name}}`, parameters: [parameter] }, { path: { [name]: value }, query: {} }) !== '/'
    } catch {
      return false
    }
  }
  const filled: Schema = {
    pointer: '',
    allOf: [
      schema,
      { pointer: '', minProperties: 1, minItems: 1, minLength: 1, not: { pointer: '', enum: ['.', '..'] } },
    ],
  }
  const made = [() => parameterExample(parameter), () => generateExample(filled)]
  for (const make of made) {
    const example = make()
    if (isSegment(example)) return example
  }
  return { value: name }
}

/** The first example that the schema accepts, or else one made of the schema. */
function parameterExample(parameter: Parameter): Generated {
  const { schema } = parameter
  return chosen(
    givenIn(parameter),
    (value) => parameterViolation(schema, value),
    () => generateExample(schema),
  )
}

/** The same of a body, as it is sent: XML is text. Without a schema or an example, there is none of XML. */
export function bodyExample(media: Media, direction: Direction = 'request'): Generated {
  const { schema, type } = media
  const values = givenIn(media).map((value) => withoutHidden(schema, value, direction))
  if (isXml(type) && !schema && values.length === 0) return { value: undefined }
  const { value, violation } = chosen(
    values,
    (value) => bodyViolation(media, value, direction),
    () => generateExample(schema, direction),
  )
  return { value: asSent(media, value), violation }
}

/** A value of a schema, as a body of the media type has it. */
export const asSent = ({ type, schema }: Media, value: unknown): unknown =>
  isXml(type) && schema && typeof value !== 'string' ? xmlOf(schema, value) : value

const isXml = (type: string) => /[/+]xml\b/i.test(type)

/** Without one that can be made, the first that was given. */
function chosen(
  values: readonly unknown[],
  firstViolation: (value: unknown) => Generated['violation'],
  make: () => Generated,
): Generated {
  const all = values.map((value) => ({ value, violation: firstViolation(value) }))
  const fitting = all.find((candidate) => !candidate.violation)
  if (fitting) return fitting
  const made = make()
  return made.violation ? (all[0] ?? made) : made
}

/** Why a schema does not accept the example of a body: a form is text. */
export function bodyViolation({ type, schema }: Media, value: unknown, direction: Direction): Finding | undefined {
  if (!schema || !(isJson(type) || isForm(type) || isMultipart(type))) return undefined
  return isJson(type) ? firstViolation(schema, value, direction) : textViolation(schema, value, direction)
}

/** The same of a parameter: it is text, too. */
export function parameterViolation(schema: Schema | undefined, value: unknown): Finding | undefined {
  return schema && textViolation(schema, value, 'request')
}

/** As JSON, or as the text that it is sent as. */
function textViolation(schema: Schema, value: unknown, direction: Direction): Finding | undefined {
  return firstViolation(schema, value, direction) && firstViolation(schema, asRead(schema, value), direction)
}

/** What a server reads of the text of a value: `'7'` is an integer, and 7 a string, if the schema says so. */
function asRead(schema: Schema, value: unknown): unknown {
  const { items = anything } = schema
  const type = [schema, ...(schema.allOf ?? [])].find((part) => part.type !== undefined)?.type
  if (Array.isArray(value)) return value.map((item) => asRead(items, item))
  if (isComposite(value)) {
    const fields = Object.entries(value as object).map(([name, field]) => [
      name,
      asRead(propertyOf(schema, name), field),
    ])
    return Object.fromEntries(fields)
  }
  if (type === 'array') return [asRead(items, value)]
  if (type === 'string') return String(value)
  return typeof value === 'string' && /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/.test(value) ? scalarOf(value) : value
}

function scalarOf(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(text) : value
}

const givenIn = ({ examples, schema }: Exampled & { schema: Schema | undefined }): unknown[] =>
  [...examples.map(({ value }) => value), ...examplesIn(schema)].filter((value) => value !== undefined)

/** Of a schema: `examples` came with OpenAPI 3.1. */
export function examplesIn(schema: Schema | undefined): readonly unknown[] {
  const { example, examples } = (schema ?? {}) as { example?: unknown; examples?: readonly unknown[] }
  return examples ?? (example === undefined ? [] : [example])
}

const exact = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(exact) : Number.isInteger(value) ? BigInt(value as number) : value
