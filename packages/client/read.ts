// Reads JSON as the document describes it, exactly: an int64 becomes a bigint, every other number a number. Fields that the
// document does not describe are allowed. What is read is frozen.
import { type Compile, type Convert, compile, placed } from './compile.ts'
import { parse, parseList, unmarked } from './parse.ts'
import type { Schema } from './types.ts'

/** Whether it is the media type of JSON. */
export const isJson = (type: string) => /^[^/]+\/(.+\+)?json *(;|$)/i.test(type)

type Fields = Record<string, unknown>

/**
 * Reads a list in slices, so that others run between them.
 * @throws SyntaxError when the text is not JSON, and TypeError where it differs from the schema
 */
export async function readJson(readerOf: Compile, schema: Schema, text: string): Promise<unknown> {
  const { type, items, ...others } = schema
  const isList = type === 'array' && items && Object.keys(others).length === 0
  if (isList && /^\s*\[/.test(text)) return readList(readerOf(items), text)
  const { value, names } = parse(text)
  return finishAll(readAt(readerOf(schema), value, 'body'), names)
}

async function readList(read: Convert, text: string): Promise<readonly unknown[]> {
  const list: unknown[] = []
  for await (const { items, names } of parseList(text)) {
    const slice: unknown[] = []
    try {
      for (const item of items) slice.push(read(item))
    } catch (error) {
      throw placed(error, 'body', list.length + slice.length)
    }
    finishAll(slice, names)
    for (const item of slice) list.push(item)
  }
  return Object.freeze(list)
}

/** @throws TypeError that names the place */
export function readAt(read: Convert, value: unknown, ...path: (string | number)[]): unknown {
  try {
    return read(value)
  } catch (error) {
    throw placed(error, ...path)
  }
}

/** @throws SyntaxError when objects have fewer names than their text: JSON.parse keeps the last of equal ones */
function finishAll(value: unknown, names: number): unknown {
  const holder = [value]
  if (finish(holder) !== names) throw new SyntaxError('An object has a name twice.')
  return holder[0]
}

/** Freezes the value, and makes numbers of long integers that no schema describes. @returns how many names its objects have */
function finish(value: object): number {
  let names = 0
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) names += finishPart(value, at, value[at])
  } else {
    for (const name in value) names += 1 + finishPart(value, name, (value as Fields)[name])
  }
  Object.freeze(value)
  return names
}

function finishPart(whole: object, key: string | number, part: unknown): number {
  if (typeof part === 'object') return part === null ? 0 : finish(part)
  if (typeof part !== 'string') return 0
  const result = unmarked(part)
  if (result !== part) (whole as Record<string | number, unknown>)[key] = result
  return 0
}

/**
 * Makes the reader of each schema once.
 * @param schemas what others refer to, by name
 * @param isJson whether an int64 arrives as a number or as digits, not as a bigint
 */
export function readers(schemas: Readonly<Record<string, Schema>>, isJson = true): Compile {
  const converts = new Map<Schema, Convert>()
  const convertOf: Compile = (schema) => {
    let convert = converts.get(schema)
    if (!convert) {
      converts.set(schema, (value) => convertOf(schema)(value)) // a schema may contain itself
      convert = compile(schema.$ref === undefined ? schema : (schemas[schema.$ref] as Schema), convertOf, isJson)
      converts.set(schema, convert)
    }
    return convert
  }
  return convertOf
}
