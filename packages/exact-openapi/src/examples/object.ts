// Objects of a schema.
import { isHidden, type Schema } from '../model/index.ts'
import { schemasToSatisfy } from './choices.ts'
import type { Search } from './search.ts'
import { textsOf } from './text.ts'
import { firstViolation, ofPatterns } from './violations.ts'

/** So many other values of one property are tried. */
const MOST_VARIED = 6

/**
 * Objects that may fit, the usual one first: with what is required, and what has an example of its own. Others follow, with
 * fewer or more properties, and with other values.
 */
export function* objectsOf(schemas: readonly Schema[], within: readonly Schema[], search: Search): Generator<object> {
  const around =
    within.filter(({ properties }) => properties).length - schemas.filter(({ properties }) => properties).length
  const isWhole = search.place === 'response' && around < DEEPEST_WHOLE
  for (const names of choicesOf(namesOf(schemas, within, search), isWhole)) {
    const { demands, names: all } = withDependent(schemas, names, within)
    const { least, most, isShown } = limitsOf(demands, search)
    const extra = [...namesOf(demands, within, search).optional, ...invented(demands)]
    const shown = new Set([...all].filter(isShown).slice(0, most))
    for (const name of extra) if (shown.size < least && isShown(name)) shown.add(name)
    const members = [...shown].map((name) => [name, search.joined(partsOf(demands, name))] as const)
    const values = members.map(([name, schema]) => [name, search.first(schema, within).value] as const)
    const object = Object.fromEntries(values.filter(([, value]) => value !== undefined))
    yield object
    for (const name of extra) {
      if (!shown.has(name) && isShown(name) && shown.size < most) {
        const { value } = search.first(search.joined(partsOf(demands, name)), within)
        if (value !== undefined) yield { ...object, [name]: value }
      }
    }
    for (const [name, schema] of members) {
      let count = 0
      for (const value of search.fitting(schema, within)) {
        if (count++ > 0) yield { ...object, [name]: value }
        if (count > MOST_VARIED) break
      }
    }
  }
}

interface Names {
  required: readonly string[]
  /** Optional ones with an example. */
  exemplary: readonly string[]
  /** All that may be left out. */
  optional: readonly string[]
}

function namesOf(demands: readonly Schema[], within: readonly Schema[], { place: direction }: Search): Names {
  const required = demands.flatMap((demand) => demand.required ?? [])
  const optional = [...new Set(demands.flatMap(({ properties = {} }) => Object.keys(properties)))].filter(
    (name) => !required.includes(name) && !ownOf(demands, name).some((schema) => within.includes(schema)),
  )
  const shown = optional.filter((name) => !ownOf(demands, name).some((schema) => isHidden(schema, direction)))
  const exemplary = shown.filter((name) => ownOf(demands, name).some(({ example }) => example !== undefined))
  return { required, exemplary, optional: shown }
}

/** So deep are objects of a response shown with all of their properties. */
const DEEPEST_WHOLE = 2

function* choicesOf({ required, exemplary, optional }: Names, isWhole: boolean): Generator<readonly string[]> {
  if (isWhole) yield [...required, ...optional]
  yield [...required, ...exemplary]
  if (exemplary.length > 0) yield required
  if (optional.length > 0) yield [...required, ...optional]
  if (optional.length > 1) for (const name of optional) yield [...required, name]
}

/** With what some properties require of others. */
function withDependent(schemas: readonly Schema[], chosen: readonly string[], within: readonly Schema[]) {
  const names = new Set(chosen)
  const demands = new Set(schemas)
  for (const { dependentRequired = {}, dependentSchemas = {}, required = [] } of demands) {
    for (const name of required) names.add(name)
    for (const name of names) {
      for (const other of ownIn(dependentRequired, name) ?? []) names.add(other)
      const part = ownIn(dependentSchemas, name)
      const [more = []] = part ? schemasToSatisfy(part, within) : []
      for (const schema of more) demands.add(schema)
    }
  }
  return { demands: [...demands], names }
}

const ownIn = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined

function limitsOf(demands: readonly Schema[], { place: direction }: Search) {
  const isAllowed = (name: string) =>
    demands.every(
      (demand) =>
        demand.additionalProperties !== false ||
        Object.hasOwn(demand.properties ?? {}, name) ||
        ofPatterns(demand, name).length > 0,
    )
  return {
    least: Math.max(0, ...demands.map(({ minProperties = 0 }) => minProperties)),
    most: Math.min(...demands.map(({ maxProperties = Number.POSITIVE_INFINITY }) => maxProperties)),
    isShown: (name: string) => isAllowed(name) && !ownOf(demands, name).some((schema) => isHidden(schema, direction)),
  }
}

/** Names of properties that the schemas do not list: of their patterns, and others. */
function* invented(demands: readonly Schema[]): Generator<string> {
  const named = demands.flatMap(({ propertyNames }) => propertyNames ?? [])
  const listed = named.flatMap((part) => part.enum ?? [])
  for (const names of named.length > 0 ? [listed, textsOf(named)] : []) {
    for (const name of names)
      if (typeof name === 'string' && named.every((part) => !firstViolation(part, name, 'request'))) yield name
  }
  for (const pattern of demands.flatMap(({ patternProperties = {} }) => Object.keys(patternProperties))) {
    yield* textsOf([{ pointer: '', pattern }])
  }
  for (let at = 1; at < 20; at++) yield `property${at}`
}

const ownOf = (demands: readonly Schema[], name: string): Schema[] =>
  demands.flatMap(({ properties = {} }) => ownIn(properties, name) ?? [])

function partsOf(demands: readonly Schema[], name: string): Schema[] {
  const parts = demands.flatMap((demand) => {
    const known = [...ownOf([demand], name), ...ofPatterns(demand, name)]
    if (known.length > 0) return known
    return typeof demand.additionalProperties === 'object' ? [demand.additionalProperties] : []
  })
  return parts.length > 0 ? parts : demands.flatMap(({ unevaluatedProperties }) => unevaluatedProperties ?? [])
}
