// Compiles the document's schemas with Ajv, in strict mode.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type Document, resolve, type Schema } from '../../spec/model/document.ts'
import { EXACT, isNumericType, type Numeric, numberCheck, numericKeys, oneOf } from './numbers.ts'

type Node = Record<string, unknown>
export type Compile = (schema: object) => ValidateFunction

/** Keywords that validate nothing. */
const annotations = new Set(['title', 'description', 'example', 'externalDocs', 'xml', 'deprecated'])
const unsupported = ['readOnly', 'writeOnly']

type Direction = 'received' | 'sent'

const compilers = { received: new WeakMap<Document, Compile>(), sent: new WeakMap<Document, Compile>() }

/**
 * Compiles schemas of one document, each once: most responses share theirs, and the apps of a process share the document.
 * In a received value, numbers take the type that the schema says: bigint for int64, else number. In a sent value they
 * must have it already.
 */
export function compilerOf(document: Document, direction: Direction): Compile {
  const known = compilers[direction].get(document)
  if (known) return known
  const compile = createCompiler(document, direction === 'sent')
  const compiled = new Map<string, ValidateFunction>()
  const compileOnce: Compile = (schema) => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? compile(schema)
    compiled.set(key, validate)
    return validate
  }
  compilers[direction].set(document, compileOnce)
  return compileOnce
}

function createCompiler(document: Document, isSent: boolean): Compile {
  const ajv = new Ajv({
    strict: true,
    strictRequired: false,
    allErrors: true,
    discriminator: true,
    useDefaults: !isSent,
  })
  addFormats.default(ajv)
  const compile = (numeric: Numeric) => numberCheck(numeric, isSent)
  ajv.addKeyword({ keyword: EXACT, schemaType: 'object', errors: true, modifying: !isSent, compile })
  const schemas = mapValues(document.components?.schemas ?? {}, (schema) => translate(schema as Schema, document))
  ajv.addVocabulary(['components'])
  ajv.addSchema({ $id: 'document', components: { schemas } })
  return (schema) => ajv.compile(translate(schema as Schema, document))
}

/** An OpenAPI 3.0 schema as JSON Schema, with the numbers left to our keyword. */
function translate(schema: Schema, document: Document): Node {
  if ('$ref' in schema) return { $ref: `document${schema.$ref}` }
  const isNumeric = isNumericType(schema)
  for (const name of unsupported) if (name in schema) throw new Error(`${name} is not supported`)
  if (isNumeric && !Number.isInteger(schema.multipleOf ?? 1))
    throw new Error('multipleOf is supported for integers only')
  for (const name of ['oneOf', 'anyOf'] as const) requireOneType(schema[name] ?? [], name, document)
  if ('not' in schema) requireOneType([schema.not as Schema, { type: 'number' }], 'not', document)
  const entries = Object.entries(schema)
    .filter(([key]) => !annotations.has(key) && !key.startsWith('x-') && !(isNumeric && numericKeys.has(key)))
    .map(([key, value]) => [key, translated(key, value, document)])
  const numeric = isNumeric && Object.fromEntries(Object.entries(schema).filter(([key]) => numericKeys.has(key)))
  return { ...Object.fromEntries(entries), ...(numeric && { [EXACT]: numeric }) }
}

function translated(key: string, value: unknown, document: Document): unknown {
  if (key === 'properties') return mapValues(value as Record<string, Schema>, (schema) => translate(schema, document))
  if (Array.isArray(value) && /Of$/.test(key)) return value.map((schema) => translate(schema, document))
  const isSchema = ['items', 'not', 'additionalProperties'].includes(key) && typeof value === 'object'
  return isSchema ? translate(value as Schema, document) : value
}

const mapValues = <From, To>(object: Record<string, From>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))

/** A branch that fails may have converted its numbers already, so the branches must agree on their types. */
function requireOneType(branches: readonly (Schema | { $ref: string })[], keyword: string, document: Document) {
  const kinds = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const collect = (node: Schema | { $ref: string }, name: string): void => {
    const key = '$ref' in node ? `${name} ${node.$ref}` : undefined
    if (key && seen.has(key)) return
    if (key) seen.add(key)
    const schema = resolve<Schema>(node, document)
    if (isNumericType(schema)) {
      const kind = schema.format === 'int64' ? 'int64' : 'number'
      for (const place of new Set([name, '*'])) kinds.set(place, (kinds.get(place) ?? new Set()).add(kind))
    }
    for (const [property, one] of Object.entries(schema.properties ?? {})) collect(one, property)
    for (const one of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) collect(one, name)
    if ('items' in schema) collect(schema.items, name)
    if (typeof schema.additionalProperties === 'object') collect(schema.additionalProperties, '')
  }
  for (const branch of branches) collect(branch, '')
  // Without a name, a number may be in any place.
  const isMixed = [...kinds].some(([name, types]) => types.size > 1 && (name !== '*' || kinds.has('')))
  if (!isMixed) return
  throw new Error(`${keyword} with an int64 and another number in the same place is not supported`)
}

/** An error in words: the place within the value, and what it must be. */
export function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const [part, ...within] = instancePath.split('/').slice(1)
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  const place = [part, [...within, ...missing].join('/')].filter(Boolean).join(' ')
  if (keyword === 'required') return `${place} is required`
  if (keyword === 'additionalProperties') return `${place} must not have the property "${params.additionalProperty}"`
  return `${place} ${keyword === 'enum' ? oneOf(params.allowedValues) : message}`
}
