// Bodies of multipart/form-data (RFC 7578).

import { essenceOf, isInRange } from '../../media-types.ts'
import { alternativesOf, certain, type Media, reachable, type Schema } from '../../model/index.ts'
import type { Compile } from '../checks/compiler.ts'
import { MalformedError } from '../json.ts'
import { fieldsReader } from './forms.ts'
import { textOf } from './texts.ts'
import { itemsOf, propertyFinder, typeOf, typesOf } from './types.ts'

/** Reading takes 50 microseconds a part. */
export const MAX_PARTS = 1_000

/** Each field is a text in the type of its property; a file is bytes. A field that is sent several times is an array. */
export function multipartReader(
  schema: Schema,
  encoding: Media['encoding'],
  compile: Compile,
): (bytes: Buffer, type: string) => Promise<object> {
  const propertyOf = propertyFinder(schema)
  const readField = fieldsReader(schema, encoding, compile)
  return async (bytes, type) => {
    const form = await formOf(bytes, type)
    const body: Record<string, unknown> = Object.create(null)
    for (const name of new Set(form.keys())) {
      const parts = form.getAll(name)
      for (const part of parts) requireAccepted(name, typeof part === 'string' ? '' : part.type, encoding)
      const property = propertyOf(name)
      const values = await Promise.all(parts.map((part) => textOrBytes(part, property && isWritten(property))))
      body[name] = typed(values, property, readField(name))
    }
    return { ...body }
  }
}

async function formOf(bytes: Buffer, type: string): Promise<FormData> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = `--${quoted ?? plain ?? ''}`
  const isTooLong = bytes.toString('latin1').split(boundary, MAX_PARTS + 3).length > MAX_PARTS + 2
  if (isTooLong) throw new MalformedError(`The body has more than ${MAX_PARTS} parts.`)
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw new MalformedError('The body is not multipart/form-data.')
  }
}

type Part = NonNullable<ReturnType<FormData['get']>>

/** @param type of a file: Node.js tells no others */
export function requireAccepted(name: string, type: string, encoding: Media['encoding']): void {
  const accepted = (Object.hasOwn(encoding, name) && encoding[name]?.contentType) || '*/*'
  const given = essenceOf(type)
  const isAccepted = (text: string) => text === given || isInRange(given, text)
  if (given !== '' && !accepted.split(',').map(essenceOf).some(isAccepted)) {
    throw new MalformedError(`body ${name} must be ${accepted}.`)
  }
}

/** Whether the value of a property is read from text, even if the client sent a file. */
export const isWritten = (property: Schema): boolean => {
  const schema = (typeOf(property) === 'array' && itemsOf(property)) || property
  return typesOf(schema).length > 0 && !isBytes(schema)
}

/** A replacement character stands for what is not UTF-8. */
async function textOrBytes(value: Part, isText: boolean | undefined): Promise<string | Buffer> {
  if (typeof value !== 'string') {
    const bytes = Buffer.from(await value.arrayBuffer())
    return isText ? textOf(bytes) : bytes
  }
  if (value.includes('\ufffd')) throw new MalformedError('The body is not UTF-8.')
  return isText === false ? Buffer.from(value) : value
}

/** The value of a field. */
export function typed(
  values: (string | Buffer)[],
  property: Schema | undefined,
  read: ReturnType<ReturnType<typeof fieldsReader>>,
): unknown {
  const isList = property && typeOf(property) === 'array'
  const texts = values.filter((value) => typeof value === 'string')
  if (read && texts.length === values.length) return read(texts.length === 1 ? String(texts[0]) : texts)
  return isList || values.length > 1 ? values : values[0]
}

/** The schema of a body whose files are Buffers, which have no type in JSON Schema. */
export function ofParts(schema: Schema): Schema {
  const { pointer, properties, patternProperties, additionalProperties: others } = schema
  return {
    ...schema,
    pointer: `${pointer} as multipart`,
    ...(properties && { properties: mapped(properties, asBytes) }),
    ...(patternProperties && { patternProperties: mapped(patternProperties, asBytes) }),
    ...(typeof others === 'object' && { additionalProperties: asBytes(others) }),
    ...composed(schema, ofParts),
  }
}

/** A property, whose file or list of files may be a part of `allOf` or a branch. */
function asBytes(schema: Schema): Schema {
  const { pointer, items, minItems = 0, maxItems = Number.MAX_SAFE_INTEGER } = schema
  if (isBytes(schema)) return { pointer: `${pointer} as bytes` }
  if (items && isBytes(items)) return { pointer: `${pointer} of bytes`, type: 'array', minItems, maxItems }
  if (!alternativesOf(schema).some((part) => asBytes(part) !== part)) return schema
  return { ...schema, pointer: `${pointer} with bytes`, ...composed(schema, asBytes) }
}

const mapped = (parts: Readonly<Record<string, Schema>>, change: (part: Schema) => Schema) =>
  Object.fromEntries(Object.entries(parts).map(([name, schema]) => [name, change(schema)]))

const composed = ({ allOf, oneOf, anyOf }: Schema, change: (part: Schema) => Schema) => ({
  ...(allOf && { allOf: allOf.map(change) }),
  ...(oneOf && { oneOf: oneOf.map(change) }),
  ...(anyOf && { anyOf: anyOf.map(change) }),
})

const isBytes = (schema: Schema) =>
  [...reachable([schema], certain)].some((part) => part.format === 'binary' || part.contentMediaType !== undefined)
