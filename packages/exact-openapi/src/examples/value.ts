// A value of a schema, for what the document gives no example of: candidates are tried until one fits.
import { anything, type Schema } from '../model/index.ts'
import { schemasToSatisfy } from './choices.ts'
import { withoutHidden } from './hidden.ts'
import { listsOf } from './list.ts'
import { numbersOf } from './number.ts'
import { objectsOf } from './object.ts'
import type { Generated, Search } from './search.ts'
import { textsOf } from './text.ts'
import { type Direction, firstViolation } from './violations.ts'

/** So many candidates are tried for a value and its parts. */
const MOST_TRIED = 2000
/** So often a schema may be within itself. */
const DEEPEST = 2

/** An example, default or known value of the schema's own, else the simplest that fits. */
export function generateExample(schema: Schema | undefined, direction: Direction = 'request'): Generated {
  if (!schema) return { value: 'string' }
  const { value = null, violation } = searchIn(direction).first(schema, [])
  return { value, violation }
}

function searchIn(direction: Direction): Search {
  let left = MOST_TRIED
  /** What was found fits everywhere; what was not is only looked for again within itself. */
  const known = new Map<Schema, Generated>()
  const combinations = new Map<string, Schema>()
  const numbers = new Map<Schema, number>()
  const search: Search = { place: direction, first, fitting, joined }
  return search

  function first(schema: Schema, within: readonly Schema[]): Generated {
    const before = known.get(schema)
    if (before) return before
    let nearest: Generated | undefined
    for (const made of tried(schema, within)) {
      if (!made.violation || !nearest) nearest = made
      if (!made.violation) break
    }
    nearest ??= { value: undefined, violation: { place: '', rule: 'type', message: 'leads back to itself' } }
    if (!nearest.violation || !within.includes(schema)) known.set(schema, nearest)
    return nearest
  }

  function* fitting(schema: Schema, within: readonly Schema[]): Generator<unknown> {
    for (const { value, violation } of tried(schema, within)) if (!violation) yield value
  }

  /** At least one. */
  function* tried(schema: Schema, within: readonly Schema[]): Generator<Generated> {
    for (const value of candidatesOf(schema, within)) {
      yield { value, violation: firstViolation(schema, value, direction) }
      if (--left < 0) return
    }
  }

  function* candidatesOf(schema: Schema, within: readonly Schema[]): Generator<unknown> {
    yield* givenIn(schema, direction)
    if (within.filter((part) => part === schema).length < DEEPEST) {
      for (const demands of schemasToSatisfy(schema, within)) {
        yield* demands.flatMap((demand) => givenIn(demand, direction)).filter((value) => typeof value !== 'object')
        yield* builtOf(demands, [...within, ...demands], search)
      }
    }
    if (schema.nullable || !schema.type) yield null
  }

  /** The same for the same parts. */
  function joined(parts: readonly Schema[]): Schema {
    const [only = anything, ...others] = new Set(parts)
    if (others.length === 0) return only
    const key = [only, ...others].map(numberOf).join()
    const schema = combinations.get(key) ?? { pointer: '', allOf: [only, ...others] }
    combinations.set(key, schema)
    return schema
  }

  function numberOf(schema: Schema): number {
    const number = numbers.get(schema) ?? numbers.size
    numbers.set(schema, number)
    return number
  }
}

/** What the document gives, of a reference with keywords beside it what the schema there has. */
function givenIn(schema: Schema, direction: Direction): unknown[] {
  const { example, examples = [], default: usual, allOf = [], properties } = schema
  const own = [example, ...examples, usual]
    .filter((value) => value !== undefined)
    .map((value) => withoutHidden(schema, value, direction))
  const [only, ...others] = allOf
  return only && others.length === 0 && !properties ? [...own, ...givenIn(only, direction)] : own
}

/** @param within the schemas that the parts of the value are parts of */
function* builtOf(demands: readonly Schema[], within: readonly Schema[], search: Search): Generator<unknown> {
  const enums = demands.flatMap(({ enum: values }) => (values ? [values as unknown[]] : []))
  const [shortest] = enums.toSorted((a, b) => a.length - b.length)
  if (shortest) return yield* shortest
  const known = demands.flatMap(({ type }) => type ?? [])
  for (const type of known.length > 0 ? new Set(known) : likelyTypes(demands)) {
    if (type === 'boolean') yield* [true, false]
    else if (type === 'null') yield null
    else if (type === 'integer' || type === 'number') yield* numbersOf(demands)
    else if (type === 'array') yield* listsOf(demands, within, search)
    else if (type === 'object') yield* objectsOf(demands, within, search)
    else yield* textsOf(demands)
  }
}

const keywords: readonly (readonly [type: string, keyword: RegExp])[] = [
  ['array', /^(prefixI|i|minI|maxI|uniqueI|unevaluatedI)tems$|ontains$/],
  ['object', /^(p|minP|maxP|patternP|unevaluatedP)roperties$|^required$|^dependent/],
  ['number', /imum$|^multipleOf$/],
  ['string', /Length$|^pattern$|^format$/],
]

/** Of schemas without a type: first that which their keywords describe. */
function likelyTypes(demands: readonly Schema[]): Set<string> {
  const names = demands.flatMap((demand) => Object.keys(demand))
  const described = keywords.filter(([, keyword]) => names.some((name) => keyword.test(name))).map(([type]) => type)
  return new Set([...described, 'string', 'number', 'object', 'array', 'boolean'])
}
