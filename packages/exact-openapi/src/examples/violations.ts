// What in a value its schema does not accept, as the contract decides, without compiling anything: examples are many, and
// documents that the contract rejects have them, too.
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isLosslessNumber } from 'lossless-json'
import { formats } from '../contract/checks/formats.ts'
import { canonical, isNumeric, numberCheck, numericKeys } from '../contract/checks/numbers.ts'
import { hiddenIn } from '../contract/checks/translate.ts'
import type { Finding } from '../contract/errors.ts'
import { decidedBy, isHidden, isPattern, patternOf, type Schema } from '../model/index.ts'

export type Direction = 'request' | 'response'
type Fields = Record<string, unknown>
type Names = ReadonlySet<string>

/** The first, or undefined for a value that fits. Its place is written as `items[0].id`. */
export function firstViolation(schema: Schema, value: unknown, direction: Direction): Finding | undefined {
  return violations(schema, value, { place: direction, path: '', hidden: new Set(), evaluated: new Set() }).next().value
}

interface Context {
  place: Direction
  path: string
  /** Properties that another part of the same value hides: they are not required. */
  hidden: Names
  /** Gets the properties and the items that a schema of the same value describes. */
  evaluated: Set<string>
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function* violations(schema: Schema, given: unknown, context: Context): Generator<Finding, undefined> {
  const value = isLosslessNumber(given) ? Number(String(given)) : given
  const broken = ownViolation(schema, value)
  if (broken) yield { place: context.path, rule: broken[0], message: broken[1] }
  const own = hiddenNames(schema, context.place)
  const hidden = own.length > 0 ? new Set([...context.hidden, ...own]) : context.hidden
  const same = own.length > 0 ? { ...context, hidden } : context
  if (Array.isArray(value)) yield* itemViolations(schema, value, same)
  if (isObject(value)) yield* propertyViolations(schema, value, same)
  for (const part of schema.allOf ?? []) yield* violations(part, value, same)
  yield* branchViolations(schema, value, same)
  if (Array.isArray(value) || isObject(value)) {
    const others = Array.isArray(value) ? schema.unevaluatedItems : schema.unevaluatedProperties
    for (const key of others ? Object.keys(value).filter((text) => !context.evaluated.has(text)) : []) {
      yield* within(others as Schema, value, key, same)
    }
  }
}

const known = { request: new WeakMap<Schema, string[]>(), response: new WeakMap<Schema, string[]>() }

/** The properties that the schema hides, or a schema of the same value. */
function hiddenNames(schema: Schema, direction: Direction): string[] {
  const { oneOf = [], anyOf = [] } = schema
  const names =
    known[direction].get(schema) ?? [schema, ...oneOf, ...anyOf].flatMap((part) => hiddenIn(part, direction))
  known[direction].set(schema, names)
  return names
}

/** Of a property or an item. */
function* within(schema: Schema, value: object, key: string, context: Context): Generator<Finding, undefined> {
  const { path, place: direction, evaluated } = context
  const name = path === '' ? key : `${path}.${key}`
  evaluated.add(key)
  yield* violations(schema, (value as Fields)[key], {
    place: direction,
    path: Array.isArray(value) ? `${path}[${key}]` : name,
    hidden: new Set(),
    evaluated: new Set(),
  })
}

/** Whether a schema of the same value applies; it describes nothing if it does not. */
function applies(schema: Schema, value: unknown, context: Context): boolean {
  const evaluated = new Set<string>()
  if (!violations(schema, value, { ...context, evaluated }).next().done) return false
  for (const key of evaluated) context.evaluated.add(key)
  return true
}

type Broken = readonly [rule: string, message: string] | false | undefined

/** Of the keywords that look at the value alone. */
function ownViolation(schema: Schema, value: unknown): Broken {
  const { type, nullable, enum: values, pattern, format = '' } = schema
  if (isNumeric(schema)) {
    const check = numberCheck(Object.fromEntries([...numericKeys].map((key) => [key, schema[key as 'type']])), false)
    const broken = check(value)
    if (broken) return broken
  } else {
    if (value === null && type && nullable) return undefined
    if (type && type !== typeOf(value)) return ['type', `must be ${type}`]
  }
  if (values && !values.some((item: unknown) => isSame(item, value)))
    return ['enum', `must be one of ${values.join(', ')}`]
  if (typeof value === 'string') {
    const isOfPattern = pattern === undefined || !isPattern(pattern) || patternOf(pattern).test(value)
    if (!isOfPattern) return ['pattern', `must match ${pattern}`]
    if ((type ?? 'string') === 'string' && !hasFormat(format, value))
      return ['format', `must have the format ${format}`]
    return sizeViolation([...value].length, schema, 'Length', 'characters')
  }
  if (Array.isArray(value)) {
    const isRepeating = schema.uniqueItems && new Set(value.map(canonical)).size < value.length
    return isRepeating
      ? ['uniqueItems', 'must have each item once']
      : sizeViolation(value.length, schema, 'Items', 'items')
  }
  return isObject(value) && sizeViolation(Object.keys(value).length, schema, 'Properties', 'properties')
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

function sizeViolation(size: number, schema: Schema, word: 'Length' | 'Items' | 'Properties', unit: string): Broken {
  const [least = 0, most = Number.POSITIVE_INFINITY] = [schema[`min${word}`], schema[`max${word}`]]
  if (size < least) return [`min${word}`, `must have at least ${least} ${unit}`]
  return size > most && [`max${word}`, `must have at most ${most} ${unit}`]
}

function hasFormat(name: string, text: string): boolean {
  const own = Object.hasOwn(formats, name) ? formats[name] : undefined
  const known = Object.hasOwn(fullFormats, name) ? fullFormats[name as 'date'] : undefined
  const format = own ?? known
  const check = isObject(format) && !(format instanceof RegExp) ? (format as { validate: unknown }).validate : format
  if (check instanceof RegExp) return check.test(text)
  const isOfNumbers = isObject(format) && (format as { type?: string }).type === 'number'
  return typeof check !== 'function' || isOfNumbers || check(text)
}

const isSame = (a: unknown, b: unknown) => canonical(a) === canonical(b)

function* itemViolations(schema: Schema, value: unknown[], context: Context): Generator<Finding, undefined> {
  const { prefixItems = [], items, contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  for (const at of value.keys()) {
    const part = prefixItems[at] ?? items
    if (part) yield* within(part, value, `${at}`, context)
  }
  if (!contains) return
  const found = [...value.keys()].filter((at) => within(contains, value, `${at}`, alone(context)).next().done)
  for (const at of found) context.evaluated.add(`${at}`)
  const wanted = found.length < minContains ? `at least ${minContains}` : `at most ${maxContains}`
  const isWrong = found.length < minContains || found.length > maxContains
  if (isWrong) yield { place: context.path, rule: 'contains', message: `must have ${wanted} such items` }
}

const alone = (context: Context): Context => ({ ...context, evaluated: new Set() })

function* propertyViolations(schema: Schema, value: Fields, context: Context): Generator<Finding, undefined> {
  const { required = [], properties = {}, additionalProperties: others, propertyNames } = schema
  const { path, place: direction, hidden, evaluated } = context
  const finding = (name: string, rule: string, message: string) => ({
    place: path && name ? `${path}.${name}` : path || name,
    rule,
    message,
  })
  const dependent = Object.entries(schema.dependentRequired ?? {})
  const needed = [
    ...required.filter((name) => !hidden.has(name)),
    ...dependent.flatMap(([name, names]) => (Object.hasOwn(value, name) ? names : [])),
  ]
  for (const name of needed) if (!Object.hasOwn(value, name)) yield finding(name, 'required', 'is required')
  for (const name of Object.keys(value)) {
    const schemas = Object.hasOwn(properties, name) ? [properties[name] as Schema] : []
    const parts = [...schemas, ...ofPatterns(schema, name)]
    for (const part of parts) {
      if (!isHidden(part, direction)) yield* within(part, value, name, context)
      else if (direction === 'response') yield finding(name, 'writeOnly', 'must not be sent: it is writeOnly')
      else evaluated.add(name)
    }
    if (parts.length === 0 && typeof others === 'object') yield* within(others, value, name, context)
    if (parts.length === 0 && others === false) yield finding('', 'additionalProperties', `must not have ${name}`)
    if (parts.length === 0 && others !== undefined) evaluated.add(name)
    const isNamed = !propertyNames || !firstViolation(propertyNames, name, direction)
    if (!isNamed) yield finding('', 'propertyNames', `must not have the name ${name}`)
  }
  for (const [name, part] of Object.entries(schema.dependentSchemas ?? {})) {
    if (Object.hasOwn(value, name)) yield* violations(part, value, context)
  }
}

/** The schemas of all patterns that a name matches. */
export const ofPatterns = ({ patternProperties = {} }: Schema, name: string): Schema[] =>
  Object.entries(patternProperties).flatMap(([pattern, part]) =>
    isPattern(pattern) && patternOf(pattern).test(name) ? [part] : [],
  )

function* branchViolations(schema: Schema, value: unknown, context: Context): Generator<Finding, undefined> {
  const { not, if: condition, discriminator } = schema
  const finding = (rule: string, message: string) => ({ place: context.path, rule, message })
  if (not && applies(not, value, alone(context))) yield finding('not', 'must not be what the schema excludes')
  if (condition) {
    const chosen = applies(condition, value, context) ? schema.then : schema.else
    if (chosen) yield* violations(chosen, value, context)
  }
  const choices = decidedBy(schema)
  const { propertyName: name = '' } = discriminator ?? {}
  const isDecided = choices.length > 0 && isObject(value)
  if (isDecided) {
    const chosen = choices.find(({ values }) => values.some((text) => text === value[name]))
    if (chosen) yield* violations(chosen.schema, value, context)
    else yield finding('discriminator', `must have a value of ${name} that chooses an alternative`)
  }
  for (const key of ['oneOf', 'anyOf'] as const) {
    const branches = isDecided ? undefined : schema[key]
    if (!branches) continue
    const count = branches.filter((branch) => applies(branch, value, context)).length
    const [only, ...more] = branches
    if (count === 0 && only && more.length === 0) yield* violations(only, value, context)
    else if (count === 0) yield finding(key, 'must match one of the alternatives')
    else if (key === 'oneOf' && count > 1) yield finding(key, 'must match only one of the alternatives')
  }
}
