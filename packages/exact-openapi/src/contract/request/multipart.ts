// Bodies of multipart/form-data as a whole.
import { Readable } from 'node:stream'
import { essenceOf, isInRange } from '../../media-types.ts'
import { alternativesOf, certain, type Media, reachable, type Schema } from '../../model/index.ts'
import type { Compile } from '../checks/compiler.ts'
import { MalformedError } from '../json.ts'
import { fieldsReader } from './forms.ts'
import { bytesOf, failureOf, type Part, partsIn, textOrBytes } from './parts.ts'
import { itemsOf, propertyFinder, typeOf, typesOf } from './types.ts'

/** Each field is a text in the type of its property; a file is bytes. A field that is sent several times is an array. */
export function multipartReader(
  schema: Schema,
  encoding: Media['encoding'],
  compile: Compile,
): (bytes: Buffer, type: string) => Promise<object> {
  const propertyOf = propertyFinder(schema)
  const readField = fieldsReader(schema, encoding, compile)
  return async (bytes, type) => {
    const values = new Map<string, (string | Buffer)[]>()
    try {
      for await (const part of partsIn(Readable.from([bytes]), type)) {
        requireAccepted(part, encoding)
        const property = propertyOf(part.name)
        const value = textOrBytes(await bytesOf(part), part, property && isWritten(property))
        values.set(part.name, values.get(part.name) ?? [])
        values.get(part.name)?.push(value)
      }
    } catch (error) {
      throw failureOf(error as Error)
    }
    const fields = [...values].map(([name, all]) => [name, typed(all, propertyOf(name), readField(name))])
    return Object.fromEntries(fields)
  }
}

/** @throws MalformedError for a file of a media type that the encoding of its property does not list */
export function requireAccepted({ name, type, isFile }: Part, encoding: Media['encoding']): void {
  const accepted = (Object.hasOwn(encoding, name) && encoding[name]?.contentType) || '*/*'
  const given = essenceOf(type)
  const isAccepted = (text: string) => text === given || isInRange(given, text)
  if (isFile && !accepted.split(',').map(essenceOf).some(isAccepted)) {
    throw new MalformedError(`body ${name} must be ${accepted}.`)
  }
}

/** Whether the value of a property is read from text, even if the client sent a file. */
export const isWritten = (property: Schema): boolean => {
  const schema = (typeOf(property) === 'array' && itemsOf(property)) || property
  return typesOf(schema).length > 0 && !isBytes(schema)
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
