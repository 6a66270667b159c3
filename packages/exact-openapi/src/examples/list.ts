// Arrays of a schema.

import { canonical } from '../contract/checks/numbers.ts'
import type { Schema } from '../model/index.ts'
import type { Search } from './search.ts'

/** Arrays that may fit, the usual one first; shorter ones follow. @param demands all schemas that they have to fit */
export function* listsOf(demands: readonly Schema[], within: readonly Schema[], search: Search): Generator<unknown[]> {
  const least = Math.max(0, ...demands.map(({ minItems = 0 }) => minItems))
  const most = Math.min(...demands.map(({ maxItems = Number.POSITIVE_INFINITY }) => maxItems))
  const known = Math.max(0, ...demands.map(({ prefixItems = [] }) => prefixItems.length))
  const schemas = demands.flatMap(({ contains, minContains = 1 }) =>
    contains ? Array<Schema>(minContains).fill(contains) : [],
  )
  const isBack = [0, known].some((at) => partsAt(demands, at).some((schema) => within.includes(schema)))
  const usual = Math.max(least, Math.min(most, Math.max(known, schemas.length, isBack ? 0 : 1)))
  const isDistinct = demands.some(({ uniqueItems }) => uniqueItems)
  const lengths = new Set([usual, ...Array.from({ length: usual }, (_, at) => usual - 1 - at), usual + 1])
  for (const length of lengths) {
    // What it has to contain stands after the items that have places of their own, or among them.
    for (const start of new Set([Math.max(0, Math.min(known, length - schemas.length)), 0])) {
      yield listOf(demands, { length, start, found: schemas, isDistinct }, within, search)
    }
  }
}

interface Shape {
  length: number
  /** Where the items begin that it has to contain. */
  start: number
  found: readonly Schema[]
  isDistinct: boolean
}

function listOf(
  demands: readonly Schema[],
  { length, start, found: schemas, isDistinct }: Shape,
  within: readonly Schema[],
  search: Search,
): unknown[] {
  const list: unknown[] = []
  const seen = new Set<string>()
  for (let at = 0; at < length; at++) {
    const parts = [...partsAt(demands, at), ...schemas.slice(at - start, at - start + (at < start ? 0 : 1))]
    const item = search.joined(parts)
    const value = isDistinct ? unseen(search.fitting(item, within), seen) : search.first(item, within).value
    if (value === undefined) break
    seen.add(canonical(value))
    list.push(value)
  }
  return list
}

function unseen(values: Iterable<unknown>, seen: ReadonlySet<string>): unknown {
  for (const value of values) if (!seen.has(canonical(value))) return value
  return undefined
}

function partsAt(demands: readonly Schema[], at: number): Schema[] {
  const parts = demands.flatMap(({ prefixItems = [], items }) => prefixItems[at] ?? items ?? [])
  return parts.length > 0 ? parts : demands.flatMap(({ unevaluatedItems }) => unevaluatedItems ?? [])
}
