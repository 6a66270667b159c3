// Types in words: a name, and a line for each keyword that limits the values.

import type { Discriminator, Schema } from 'exact-openapi/model'
import { stringify } from 'lossless-json'

const words: Record<string, string> = {
  int32: '32-bit integer',
  int64: '64-bit integer',
  uint64: 'unsigned 64-bit integer',
  date: 'date (ISO 8601)',
  'date-time': 'date and time (RFC 3339)',
  byte: 'base64 (RFC 4648)',
  binary: 'bytes',
}

/** A type in words. */
export interface Type {
  /** `64-bit integer`; of an array, the type of its items. */
  name: string
  isArray: boolean
  /** The schema of that name. */
  schemaId: string | undefined
  /** `−128 to 127`, `pattern ^@\d+$`: plain text. */
  constraints: readonly string[]
  /** The known values; later versions may add some. */
  values: readonly string[]
  /** What each of them means, in Markdown; none if the document says it of none. */
  meanings: readonly string[]
}

/** @param within the arrays that it is an item of: one may be an item of itself */
export function typeOf(schema: Schema | undefined, within: readonly Schema[] = []): Type {
  if (!schema) return { name: 'any', isArray: false, schemaId: undefined, constraints: [], values: [], meanings: [] }
  const { type, items, name } = schema
  const schemaId = name === undefined ? undefined : `schema-${name}`
  if (within.includes(schema))
    return { name: name ?? 'array', isArray: false, schemaId, constraints: [], values: [], meanings: [] }
  if (type === 'array' && items && !isNothing(items)) {
    const of = typeOf(items, [...within, schema])
    const nestedName = of.isArray ? `array of ${of.name}` : of.name
    return { ...of, name: nestedName, isArray: true, constraints: [...of.constraints, ...constraintsOf(schema)] }
  }
  const only = orNull(schema)
  if (only) {
    const type = typeOf(only, [...within, schema])
    const isArray = type.isArray && !within.includes(only)
    const name = `${isArray ? 'array of ' : ''}${type.name} or null`
    const constraints = constraintsOf(schema)
    return { ...type, name, isArray: false, constraints: [...new Set([...type.constraints, ...constraints])] }
  }
  const parts = partsOf(schema)
  const values = parts.flatMap(valuesIn)
  return {
    name: typeName(schema),
    isArray: false,
    schemaId,
    constraints: [...new Set(parts.flatMap(constraintsOf))],
    values: values.map(([value]) => textOf(value)),
    meanings: values.some(([, meaning]) => meaning !== '') ? values.map(([, meaning]) => meaning) : [],
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : String(stringify(value)))

/** Alternatives of one value each are a list of values. */
export function constantsIn({ oneOf, anyOf, discriminator }: Schema): readonly Schema[] {
  const branches = oneOf ?? anyOf ?? []
  const isConstant = ({ name, enum: values }: Schema) => name === undefined && values?.length === 1
  return !discriminator && branches.length > 1 && branches.every(isConstant) ? branches : []
}

/** As OpenAPI Generator, ReDoc and others write them: lists, or by the value. */
const meaningKeys = ['x-enumDescriptions', 'x-enum-descriptions', 'x-enum-varnames', 'x-enumNames']

function valuesIn(schema: Schema): [value: unknown, meaning: string][] {
  const constants = constantsIn(schema)
  if (constants.length > 0) {
    return constants.map(({ enum: [value] = [], title, description }) => {
      const meaning = [title === value ? undefined : title, description].filter(Boolean).join(': ')
      return [value, meaning]
    })
  }
  const extensions = schema as unknown as Record<string, unknown>
  const meanings = meaningKeys
    .map((key) => extensions[key])
    .find((value) => typeof value === 'object' && value !== null)
  const values: readonly unknown[] = schema.enum ?? schema['x-extensible-enum'] ?? []
  return values.map((value, at) => {
    const meaning = Reflect.get(Object(meanings), Array.isArray(meanings) ? at : textOf(value))
    return [value, typeof meaning === 'string' && meaning !== value ? meaning : '']
  })
}

/** What a value is if it is not null, where a choice between the two is all that the schema says of its type. */
export function orNull({ name, anyOf, oneOf, type, properties }: Schema): Schema | undefined {
  const branches = anyOf ?? oneOf ?? []
  const [only, other] = branches.filter((branch) => (branch.type as string) !== 'null')
  const isChoice = name === undefined && type === undefined && properties === undefined && branches.length === 2
  return isChoice && other === undefined ? only : undefined
}

/** The alternatives that differ only in the fields that they require. */
function requiredIn({ oneOf, anyOf }: Schema): string[] {
  const branches = oneOf ?? anyOf ?? []
  const isOnly = (branch: Schema) => Object.keys(branch).every((key) => key === 'required' || key === 'pointer')
  if (!branches.every((branch) => isOnly(branch) && branch.required)) return []
  return branches.map(({ required = [] }) => required.join(' and '))
}

/** What it is composed of, as far as that has no section of its own. */
const partsOf = (schema: Schema): Schema[] => [
  schema,
  ...(schema.allOf ?? []).filter(({ name }) => name === undefined).flatMap(partsOf),
]

/** The schema `false`. */
export const isNothing = ({ not }: Schema) => not !== undefined && Object.keys(not).join() === 'pointer'

/** `64-bit integer`, `Order`, `one of Cat, Dog`. */
export function typeName(schema: Schema): string {
  const { name, type, format = '', allOf = [], oneOf, anyOf } = schema
  const constants = constantsIn(schema)
  const isList = constants.length > 0 || requiredIn(schema).length > 0
  const branches = isList ? undefined : (oneOf ?? anyOf)
  if (isNothing(schema)) return 'nothing'
  if (name !== undefined && (type === 'object' || branches || allOf.length > 0)) return name
  if (branches) {
    const names = [...new Set(branches.map(branchName))]
    const isSimple = branches.every(
      (branch) => branch.name === undefined && /^(?!object)/.test(branch.type ?? 'object'),
    )
    return isSimple ? names.join(' or ') : `${oneOf ? 'one' : 'any'} of ${names.join(', ')}`
  }
  if (allOf.length > 0 && !type) return [...new Set(allOf.map(typeName))].join(' and ')
  return words[format] ?? type ?? (constants[0] ? typeName(constants[0]) : 'any')
}

/** `array of string`. */
function branchName(schema: Schema): string {
  const { name, isArray } = typeOf(schema.type === 'array' && schema.items?.type === 'array' ? undefined : schema)
  return schema.type === 'array' ? `array${isArray ? ` of ${name}` : ''}` : typeName(schema)
}

/** A line each, as plain text. */
function constraintsOf(schema: Schema): string[] {
  const { pattern, format, multipleOf, nullable, uniqueItems, discriminator, dependentRequired = {} } = schema
  const { contentEncoding, contentMediaType, contentSchema, xml, minContains, maxContains, properties = {} } = schema
  const required = (schema.required ?? []).filter((name) => !Object.hasOwn(properties, name))
  const isClosed = (others: unknown) => others === false || isNothing(Object(others))
  const lines: (string | false | undefined)[] = [
    rangeOf(schema),
    countOf(schema.minLength, schema.maxLength, 'character'),
    countOf(schema.minItems, schema.maxItems, 'item'),
    countOf(schema.minProperties, schema.maxProperties, 'property'),
    pattern !== undefined && `pattern ${pattern}`,
    format !== undefined && !words[format] && `format ${format}`,
    multipleOf !== undefined && `a multiple of ${multipleOf}`,
    uniqueItems && 'each item once',
    nullable && 'may be null',
    schema.default !== undefined && `default ${stringify(schema.default)}`,
    schema.readOnly && 'only in responses',
    schema.writeOnly && 'only in requests',
    schema.deprecated && 'deprecated',
    [schema.additionalProperties, schema.unevaluatedProperties].some(isClosed) && 'no other fields',
    [schema.items, schema.unevaluatedItems].some(isClosed) && 'no other items',
    required.length > 0 && `with ${required.join(', ')}`,
    requiredIn(schema).length > 0 && `with ${requiredIn(schema).join(schema.oneOf ? ', or else ' : ', or ')}`,
    ...Object.entries(dependentRequired).map(([name, others]) => `${name} only with ${others.join(', ')}`),
    schema.contains && countOf(minContains ?? 1, maxContains, 'such item'),
    contentEncoding !== undefined && `encoded as ${contentEncoding}`,
    contentMediaType !== undefined && `containing ${contentMediaType}`,
    contentSchema !== undefined && `containing ${stringify(contentSchema)}`,
    xml && `in XML: ${wordsOf(xml)}`,
    discriminator && discriminatorLine(discriminator),
  ]
  return lines.filter((line): line is string => typeof line === 'string')
}

/** `name pet, attribute`. */
function wordsOf(flags: object): string {
  return Object.entries(flags)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ')
}

function discriminatorLine({ propertyName, choices, defaultMapping }: Discriminator) {
  const pairs = choices
    .filter(({ schema, values }) => values.join() !== typeName(schema))
    .map(({ schema, values }) => `${values.join(' or ')} for ${typeName(schema)}`)
  if (defaultMapping !== undefined) pairs.push(`else ${defaultMapping.replace(/.*\//, '')}`)
  return `chosen by ${propertyName}${pairs.length > 0 ? `: ${pairs.join(', ')}` : ''}`
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string | undefined {
  const least = minimum !== undefined && `${exclusiveMinimum ? 'more than' : 'at least'} ${formatNumber(minimum)}`
  const most = maximum !== undefined && `${exclusiveMaximum ? 'less than' : 'at most'} ${formatNumber(maximum)}`
  const isClosed = minimum !== undefined && maximum !== undefined && !exclusiveMinimum && !exclusiveMaximum
  if (isClosed) return `${formatNumber(minimum)} to ${formatNumber(maximum)}`
  return [least, most].filter(Boolean).join(', ') || undefined
}

function countOf(least: number | undefined, most: number | undefined, word: string): string | undefined {
  const plural = word === 'property' ? 'properties' : `${word}s`
  if (least === undefined) return most === undefined ? undefined : `at most ${most} ${most === 1 ? word : plural}`
  if (most === undefined) return `at least ${least} ${least === 1 ? word : plural}`
  return least === most ? `${least} ${least === 1 ? word : plural}` : `${least} to ${most} ${plural}`
}

/** With thousands separators and a true minus sign. */
function formatNumber(value: number): string {
  return value.toLocaleString('en').replace('-', '−')
}
