// Bodies of multipart/form-data (RFC 7578).
import type { Schema } from '../model/index.ts'
import { MalformedError } from './json.ts'
import { fieldReader } from './parameters.ts'
import { propertiesOf, typeOf } from './types.ts'

/** Reading takes 50 microseconds a part. */
const MAX_PARTS = 1_000

/** Each field is a text in the type of its property; a file is bytes. A field that is sent several times is an array. */
export function multipartReader(schema: Schema): (bytes: Buffer, type: string) => Promise<object> {
  const properties = propertiesOf(schema)
  return async (bytes, type) => {
    const form = await formOf(bytes, type)
    const body: Record<string, unknown> = Object.create(null)
    for (const name of new Set(form.keys())) {
      const values = await Promise.all(form.getAll(name).map(textOrBytes))
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      body[name] = typed(values, property)
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

/** A replacement character stands for what is not UTF-8. */
async function textOrBytes(value: NonNullable<ReturnType<FormData['get']>>): Promise<string | Buffer> {
  if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer())
  if (value.includes('\ufffd')) throw new MalformedError('The body is not UTF-8.')
  return value
}

function typed(values: (string | Buffer)[], property: Schema | undefined): unknown {
  const isList = property && typeOf(property) === 'array'
  const texts = values.filter((value) => typeof value === 'string')
  if (property && texts.length === values.length && texts.length > 0) {
    return fieldReader(property)(texts.length === 1 ? String(texts[0]) : texts)
  }
  return isList || values.length > 1 ? values : values[0]
}

/** The schema of what is read: bytes have no type in JSON Schema. */
export function ofParts(schema: Schema): Schema {
  const { pointer, properties, allOf } = schema
  const asBytes = (one: Schema): Schema => {
    if (one.type === 'array' && one.items && isBytes(one.items))
      return { pointer: `${one.pointer} of bytes`, type: 'array' }
    return isBytes(one) ? { pointer: `${one.pointer} as bytes` } : one
  }
  return {
    ...schema,
    pointer: `${pointer} as multipart`,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, asBytes(one)])),
    }),
    ...(allOf && { allOf: allOf.map(ofParts) }),
  }
}

const isBytes = ({ type, format, ...others }: Schema) =>
  type === 'string' && (format === 'binary' || 'contentMediaType' in others)
