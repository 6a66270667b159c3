// Reads objects from the texts of parameters and forms.
import { anything, type Parameter, type Schema } from '../../model/index.ts'
import type { Compile } from '../checks/compiler.ts'
import { MalformedError } from '../json.ts'
import { splitterOf } from './styles.ts'
import type { Texts } from './texts.ts'
import { isOneOrSeveral, itemsOf, propertiesOf, propertyFinder, typeOf, typesOf } from './types.ts'
import { scalarReader } from './values.ts'

/** Reads a parameter from all texts of its place. @returns undefined if it is absent */
export type Read = (texts: Texts) => unknown

/**
 * Reads an object from a text for each property, `R=100&G=200`, or from one text, `color=R,100,G,200`.
 * @param others the other parameters: an object of any properties has all texts that none of them has
 */
export function objectReader(
  parameter: Parameter,
  source: string,
  decode: (text: string) => string,
  compile: Compile,
  others: readonly Parameter[],
): Read {
  const { schema = anything, explode, style, in: location, required } = parameter
  const readers = new Map(
    Object.entries(propertiesOf(schema)).map(([name, part]) => [name, fieldReader(part, compile)]),
  )
  const propertyOf = propertyFinder(schema)
  const ofOthers = (name: string) => {
    const property = propertyOf(name)
    return property && fieldReader(property, compile)
  }
  const read = (name: string, text: string | string[]) => (readers.get(name) ?? ofOthers(name))?.(text) ?? text
  const hasTextEach = location === 'query' && (style === 'deepObject' || explode)
  if (!hasTextEach) {
    const split = splitterOf(parameter)
    return (texts) => oneOf(texts[source], (text) => pairsOf(split(text), explode, decode, read))
  }
  const hasOthers = parameter.isWhole || isFree(parameter)
  const isMine = (text: string) => (hasOthers ? !others.some((other) => isNameOf(other, text)) : readers.has(text))
  const nameOf = (text: string) => (style === 'deepObject' ? memberOf(source, text) : isMine(text) ? text : undefined)
  return (texts) => {
    const entries = Object.entries(texts).flatMap(([text, given = '']) => {
      const name = nameOf(text)
      if (name === undefined) return []
      const values = [given].flat().map(decode)
      return [[name, read(name, values.length > 1 ? values : (values[0] as string))]]
    })
    // No text has the name of the object itself, so nothing tells one without properties from none.
    return entries.length > 0 || required ? Object.fromEntries(entries) : undefined
  }
}

/** Whether each text of the query may be a property: "free-form query parameter" in OpenAPI 3.0.4, "Parameter Object". */
export function isFree({ in: location, schema = anything, style, explode }: Parameter): boolean {
  const isExploded = location === 'query' && style === 'form' && explode
  return isExploded && typeOf(schema) === 'object' && Object.keys(propertiesOf(schema)).length === 0
}

/** Whether a text of this name is of the parameter. Each property of an object may have a text of its own. */
export function isNameOf({ name, schema = anything, style, explode }: Parameter, text: string): boolean {
  if (typeOf(schema) !== 'object') return text === name
  if (style === 'deepObject') return memberOf(name, text) !== undefined
  return explode ? Object.hasOwn(propertiesOf(schema), text) : text === name
}

/** `color` of `filter[color]`. */
function memberOf(source: string, text: string): string | undefined {
  const isMember = text.startsWith(`${source}[`) && text.endsWith(']')
  return isMember ? text.slice(source.length + 1, -1) : undefined
}

/** `R,100,G,200`, or `R=100,G=200` if exploded. */
function pairsOf(
  parts: readonly string[],
  explode: boolean,
  decode: (text: string) => string,
  read: (name: string, text: string) => unknown,
): object {
  const pairs = explode
    ? parts.map((part) => part.split(/=(.*)/s, 2))
    : parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1]]] : []))
  const values = new Map<string, unknown>()
  for (const [encoded, text = ''] of pairs) {
    const name = decode(String(encoded))
    if (values.has(name)) throw new MalformedError(`The name ${name} is repeated within an object.`)
    values.set(name, read(name, decode(text)))
  }
  return Object.fromEntries(values)
}

/** Reads a field of a form from its decoded texts. An array has a text for each item, and an object is JSON. */
export function fieldReader(
  schema: Schema,
  compile: Compile,
  readOne?: (text: string) => unknown,
): (text: string | string[]) => unknown {
  if (isOneOrSeveral(schema)) return severalReader(schema, compile)
  const isArray = typeOf(schema) === 'array'
  const read = readOne ?? valueReader(isArray ? itemsOf(schema) : schema, compile)
  if (isArray) return (text) => [text].flat().map(read)
  return (text) => (typeof text === 'string' ? read(text) : text)
}

/** A text that may be a string or another value is the string if the schema allows only that. */
export function valueReader(schema: Schema | undefined, compile: Compile): (text: string) => unknown {
  const types = typesOf(schema)
  const read = scalarReader(types)
  if (!schema || types.length === 1 || !types.includes('string')) return read
  const isAllowed = allowedBy(schema, compile)
  return (text) => {
    const value = read(text)
    return value === text || isAllowed(value) || !isAllowed(text) ? value : text
  }
}

function allowedBy(schema: Schema, compile: Compile): (value: unknown) => boolean {
  const check = compile({ value: schema })
  return (value) => check({ value }).length === 0
}

/** Several texts are an array. One is a value of its own if the schema allows that, else an array of one. */
export function severalReader(schema: Schema, compile: Compile): (text: string | string[]) => unknown {
  const isAllowed = allowedBy(schema, compile)
  const readOne = scalarReader(typesOf(schema).filter((type) => type !== 'array'))
  const readItem = valueReader(itemsOf(schema), compile)
  return (text) => {
    if (typeof text !== 'string') return text.map(readItem)
    const [value, list] = [readOne(text), [readItem(text)]]
    return isAllowed(value) || !isAllowed(list) ? value : list
  }
}

/** A name that was sent several times has several texts, for the schema to reject. */
export function oneOf(text: string | string[] | undefined, read: (text: string) => unknown): unknown {
  return typeof text === 'string' ? read(text) : text
}
