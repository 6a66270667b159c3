// What becomes of a request that Ajv has found valid: readOnly properties are removed, missing ones get their defaults, and numbers
// take the type that the schemas say. All of it has been judged before anything changes, so no keyword sees a changed value.
import {
  certain,
  decidedBy,
  isHidden,
  itemsAt,
  leadingTo,
  partsOf,
  propertiesAt,
  reachable,
  type Schema,
} from '../../model/index.ts'
import { converterOf } from './numbers.ts'
import { hiddenIn } from './translate.ts'

/** What a schema of a value does to it: 1 converts numbers, 2 also removes readOnly properties, 3 also adds defaults. */
type Level = 1 | 2 | 3
type Entry = readonly [schema: Schema, level: Level]
/** Schemas that also describe the value, if they apply to it. */
type Condition = (value: object) => readonly Entry[]

/** What schemas that describe the same value do to it. */
interface Place {
  entries: readonly Entry[]
  convert: ReturnType<typeof converterOf>
  conditions: readonly Condition[]
  removed: readonly string[]
  defaults: readonly (readonly [name: string, schema: Schema])[]
  /** Those of the properties that the schemas list, and of all others, once a value came here. */
  properties?: readonly (readonly [name: string, part: Place])[]
  partOf?: ((name: string) => Place | undefined) | undefined
  /** Those of each place in a tuple, and of the rest. */
  items?: readonly (Place | undefined)[]
}

const isChosen = (schema: Schema) => decidedBy(schema).length > 0

/** Of these parts, defaults are filled in. */
export function filledParts(schema: Schema): Schema[] {
  const { not, contains, propertyNames, if: condition, oneOf, anyOf, ...others } = schema
  return [...partsOf(others), ...(isChosen(schema) ? decidedBy(schema).map((one) => one.schema) : certain(schema))]
}

const hasWork = (schema: Schema) =>
  converterOf([schema]) !== undefined ||
  Object.values(schema.properties ?? {}).some((part) => part.default !== undefined || part.readOnly)

/** @param appliesTo whether a branch does, without these names @param isWrong whether a default is not used */
export function finisher(
  appliesTo: (branch: Schema, hidden: readonly string[]) => (value: object) => boolean,
  isWrong: (schema: Schema) => boolean,
) {
  const busy = new Map<Schema, boolean>()
  const ids = new Map<Schema, number>()
  const places = new Map<string, Place>()
  const conditions = new Map<string, readonly Condition[]>()

  function isBusy(schema: Schema): boolean {
    if (!busy.has(schema)) {
      const all = [...reachable([schema], (part) => (busy.has(part) ? [] : partsOf(part)))]
      const some = leadingTo(all, (part) => busy.get(part) ?? hasWork(part))
      for (const part of all) busy.set(part, some.has(part))
    }
    return busy.get(schema) === true
  }

  /** Each set of schemas has one place, which is made when a value first comes there. */
  function placeOf(entries: readonly Entry[]): Place | undefined {
    const levels = new Map<Schema, Level>()
    const waiting = entries.filter(([schema]) => isBusy(schema))
    for (const [schema, level] of waiting) {
      if ((levels.get(schema) ?? 0) >= level) continue
      levels.set(schema, level)
      waiting.push(...sameValue(schema, level).filter(([part]) => isBusy(part)))
    }
    if (levels.size === 0) return undefined
    const key = [...levels].map(keyOf).sort().join(' ')
    const place = places.get(key) ?? newPlace([...levels])
    places.set(key, place)
    return place
  }

  function keyOf([schema, level]: Entry): string {
    const id = ids.get(schema) ?? ids.size
    ids.set(schema, id)
    return `${id}/${level}`
  }

  function newPlace(entries: readonly Entry[]): Place {
    const schemas = entries.map(([schema]) => schema)
    const hidden = schemas.flatMap((schema) => hiddenIn(schema, 'request'))
    const fields = (least: Level) =>
      entries.flatMap(([{ properties = {} }, level]) => (level >= least ? Object.entries(properties) : []))
    const removed = fields(2).flatMap(([name, schema]) => (isHidden(schema, 'request') ? [name] : []))
    return {
      entries,
      convert: converterOf(schemas),
      conditions: entries.flatMap((entry) => {
        const known = conditions.get(keyOf(entry)) ?? conditionsOf(entry, hidden)
        conditions.set(keyOf(entry), known)
        return known
      }),
      removed,
      defaults: fields(3).filter(([name, schema]) => schema.default !== undefined && !removed.includes(name)),
    }
  }

  function conditionsOf([schema, level]: Entry, hidden: readonly string[]): Condition[] {
    const {
      discriminator,
      oneOf = [],
      anyOf = [],
      if: condition,
      then,
      else: otherwise,
      dependentSchemas = {},
    } = schema
    if (discriminator && isChosen(schema)) {
      const choices = new Map(
        decidedBy(schema).flatMap(({ schema: part, values }) => values.map((text) => [text, part])),
      )
      return [
        (value) => {
          const branch = choices.get(Reflect.get(value, discriminator.propertyName))
          /* c8 ignore next -- Ajv has accepted one of the choices */
          return branch ? [[branch, level]] : []
        },
      ]
    }
    if (level < 3) return [] // trying the branches of each level of a tree would take time with the square of its depth
    const hiding = [...oneOf, ...anyOf].filter((part) => hiddenIn(part, 'request').length > 0)
    const found: Condition[] = hiding.map((branch) => {
      const applies = appliesTo(branch, hidden)
      return (value) => (applies(value) ? [[branch, 2]] : [])
    })
    if (condition && [then, otherwise].some((part) => part && isBusy(part))) {
      const applies = appliesTo(condition, hidden)
      found.push((value) =>
        [applies(value) ? then : otherwise].flatMap((part) => (part ? [[part, level] as const] : [])),
      )
    }
    for (const [name, part] of Object.entries(dependentSchemas)) {
      found.push((value) => (Object.hasOwn(value, name) ? [[part, level]] : []))
    }
    return found
  }

  function resolved(place: Place, value: object): Place {
    const tried = new Set<Condition>()
    let here = place
    for (;;) {
      const open = here.conditions.filter((condition) => !tried.has(condition))
      if (open.length === 0) return here
      for (const condition of open) tried.add(condition)
      const more = open.flatMap((condition) => condition(value))
      if (more.length === 0) return here
      here = placeOf([...here.entries, ...more]) as Place
    }
  }

  const partsAt = (place: Place, partsIn: (schema: Schema) => readonly Schema[]) =>
    placeOf(
      place.entries.flatMap(([schema, level]) =>
        /* c8 ignore next -- nothing is certain of an item that contains may match */
        partsIn(schema).map((part): Entry => [part, part === schema.contains ? 1 : level]),
      ),
    )

  function prepareProperties(place: Place): readonly (readonly [string, Place])[] {
    const schemas = place.entries.map(([schema]) => schema)
    const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))
    const others = partsAt(place, (schema) => propertiesAt(schema))
    const hasPatterns = schemas.some((schema) => schema.patternProperties)
    const other = (name: string) => (hasPatterns ? partsAt(place, (schema) => propertiesAt(schema, name)) : others)
    place.partOf = others && ((name) => (names.has(name) ? undefined : other(name)))
    const parts = [...names].map((name) => [name, partsAt(place, (schema) => propertiesAt(schema, name))] as const)
    return parts.filter((entry): entry is readonly [string, Place] => entry[1] !== undefined)
  }

  function itemsOf(place: Place): readonly (Place | undefined)[] {
    const length = Math.max(0, ...place.entries.map(([{ prefixItems = [] }]) => prefixItems.length))
    return Array.from({ length: length + 1 }, (_, at) => partsAt(place, (schema) => itemsAt(schema, at)))
  }

  /** @returns the value, whose parts have changed in place */
  function finish(value: unknown, place: Place): unknown {
    /* c8 ignore next -- most places of numbers are left out before, as nothing changes there */
    if (typeof value === 'number' || typeof value === 'bigint') return place.convert ? place.convert(value) : value
    if (typeof value !== 'object' || value === null) return value
    const here = place.conditions.length > 0 ? resolved(place, value) : place
    if (Array.isArray(value)) finishItems(value, here)
    else finishFields(value as Record<string, unknown>, here)
    return value
  }

  function finishItems(values: unknown[], place: Place): void {
    place.items ??= itemsOf(place)
    const rest = place.items.length - 1
    for (let at = 0; at < values.length; at++) {
      const part = place.items[Math.min(at, rest)]
      if (part) values[at] = finish(values[at], part)
      else if (at >= rest) return
    }
  }

  function finishFields(fields: Record<string, unknown>, place: Place): void {
    for (const name of place.removed) delete fields[name]
    for (const [name, schema] of place.defaults) {
      if (!Object.hasOwn(fields, name) && !isWrong(schema)) fields[name] = structuredClone(schema.default)
    }
    place.properties ??= prepareProperties(place)
    for (const [name, part] of place.properties) {
      if (Object.hasOwn(fields, name)) fields[name] = finish(fields[name], part)
    }
    if (!place.partOf) return
    for (const name of Object.keys(fields)) {
      const part = place.partOf(name)
      if (part) fields[name] = finish(fields[name], part)
    }
  }

  return (schema: Schema): ((value: unknown) => void) => {
    const place = placeOf([[schema, 3]])
    return (value) => {
      if (place) finish(value, place)
    }
  }
}

/** Those that describe the value of a schema, too: some of a union may not apply, but convert numbers alike. */
function sameValue(schema: Schema, level: Level): Entry[] {
  const { allOf = [], oneOf = [], anyOf = [], if: condition, then, else: otherwise, dependentSchemas = {} } = schema
  const some = isChosen(schema) ? [] : [...oneOf, ...anyOf]
  const others = [condition, then, otherwise, ...Object.values(dependentSchemas)].flatMap((part) => part ?? [])
  return [
    ...(isChosen(schema) ? allOf : certain(schema)).map((part): Entry => [part, level]),
    ...[...some, ...others].map((part): Entry => [part, 1]),
  ]
}
