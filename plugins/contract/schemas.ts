// Compiles the document's schemas with Ajv, in strict mode. Ajv would round an int64, so a custom keyword validates numbers.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import { type Document, resolve, type Schema } from '../../spec/document.ts'

type Node = Record<string, unknown>
type Bounds = Pick<Schema, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf'>
type Numeric = Bounds & { type: string; format?: string; nullable?: boolean; enum?: (number | null)[] }

export type Compile = (schema: object) => ValidateFunction

/** The keyword that checks numbers. */
const EXACT = 'exactNumber'
const numericKeys = new Set([
  'type',
  'format',
  'nullable',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
])
/** Keywords that validate nothing. */
const annotations = new Set(['title', 'description', 'example', 'externalDocs', 'xml', 'deprecated'])
const unsupported = ['readOnly', 'writeOnly']

type Direction = 'received' | 'sent'

const compilers = { received: new WeakMap<Document, Compile>(), sent: new WeakMap<Document, Compile>() }

/**
 * Compiles schemas of one document, each once: most responses share theirs. In a received value, numbers take the type
 * that the schema says: bigint for int64, else number. In a sent value they must have it already.
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
  const compile = (numeric: Numeric) => checkOf(numeric, isSent)
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

const isNumericType = ({ type }: Schema) => type === 'integer' || type === 'number'

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

const numberTypes: Record<string, { read: (data: unknown) => number | bigint | undefined; message: string }> = {
  int64: { read: toInt64, message: 'must be a 64-bit integer in plain decimal digits' },
  int32: {
    read: (data) => (typeof data === 'number' && data === (data | 0) ? data : undefined),
    message: 'must be a 32-bit integer in plain decimal digits',
  },
  integer: {
    read: (data) => (Number.isSafeInteger(data) ? (data as number) : undefined),
    message: `must be an integer in plain decimal digits, at most ${Number.MAX_SAFE_INTEGER}`,
  },
  number: { read: toDouble, message: 'must be a number that a double holds exactly' },
}

function checkOf({ type, format = '', nullable, enum: values, ...bounds }: Numeric, isSent: boolean) {
  const kind = type === 'number' || !Object.hasOwn(numberTypes, format) ? type : format
  const { read, message } = numberTypes[kind] as (typeof numberTypes)[string]
  const check: DataValidateFunction = (data: unknown, context?: DataValidationCxt) => {
    if (data === null && nullable) return true
    const value = isSent && (typeof data === 'bigint') !== (kind === 'int64') ? undefined : read(data)
    const problem = value === undefined ? message : outOfBounds(value, bounds, values)
    if (problem) check.errors = [{ keyword: EXACT, message: problem, params: {} }]
    else if (value !== data && context) context.parentData[context.parentDataProperty] = value
    return problem === undefined
  }
  return check
}

function toInt64(data: unknown): bigint | undefined {
  if (typeof data !== 'bigint' && !Number.isInteger(data)) return undefined
  const value = BigInt(data as bigint | number)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function toDouble(data: unknown): number | undefined {
  if (typeof data === 'number') return data
  const number = typeof data === 'bigint' ? Number(data) : Number.NaN
  return Number.isFinite(number) && BigInt(number) === data ? number : undefined
}

function outOfBounds(value: number | bigint, bounds: Bounds, values?: (number | null)[]): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    return `must be ${exclusiveMinimum ? '>' : '>='} ${minimum}`
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    return `must be ${exclusiveMaximum ? '<' : '<='} ${maximum}`
  }
  const isMultiple = () => Number.isInteger(Number(value)) && BigInt(value) % BigInt(multipleOf as number) === 0n
  if (multipleOf !== undefined && !isMultiple()) return `must be a multiple of ${multipleOf}`
  // biome-ignore lint/suspicious/noDoubleEquals: 1n == 1, without rounding
  if (values && !values.some((one) => one !== null && one == value)) return oneOf(values)
  return undefined
}

const oneOf = (values: readonly unknown[]) => `must be one of ${values.join(', ')}`

/** An error in words: the place within the value, and what it must be. */
export function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const [part, ...within] = instancePath.split('/').slice(1)
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  const place = [part, [...within, ...missing].join('/')].filter(Boolean).join(' ')
  if (keyword === 'required') return `${place} is required`
  if (keyword === 'additionalProperties') return `${place} must not have the property "${params.additionalProperty}"`
  return `${place} ${keyword === 'enum' ? oneOf(params.allowedValues) : message}`
}
