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

/** What a schema does to its value: it converts numbers, also removes readOnly properties, and also adds defaults. */
const CONVERT = 1
const HIDE = 2
const FILL = 3
type Level = typeof CONVERT | typeof HIDE | typeof FILL
type Entry = readonly [schema: Schema, level: Level]
/** Schemas that also describe the value, if they apply to it. */
type Condition = (value: object) => readonly Entry[]

/** What schemas that describe the same value do to it. */
interface ValuePlan {
  entries: readonly Entry[]
  convert: ReturnType<typeof converterOf>
  conditions: readonly Condition[]
  removed: readonly string[]
  defaults: readonly (readonly [name: string, schema: Schema])[]
  /** Those of the properties that the schemas list, and of all others, once a value needed them. */
  properties?: readonly (readonly [name: string, part: ValuePlan])[]
  partOf?: ((name: string) => ValuePlan | undefined) | undefined
  /** Those of each place in a tuple, and of the rest. */
  items?: readonly (ValuePlan | undefined)[]
}

const isChosen = (schema: Schema) => decidedBy(schema).length > 0

/** Of these parts, defaults are filled in. */
export function filledParts(schema: Schema): Schema[] {
  const { not, contains, propertyNames, if: condition, oneOf, anyOf, ...others } = schema
  return [
    ...partsOf(others),
    ...(isChosen(schema) ? decidedBy(schema).map((choice) => choice.schema) : certain(schema)),
  ]
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
  const plans = new Map<string, ValuePlan>()
  const conditions = new Map<string, readonly Condition[]>()

  function isBusy(schema: Schema): boolean {
    if (!busy.has(schema)) {
      const all = [...reachable([schema], (part) => (busy.has(part) ? [] : partsOf(part)))]
      const some = leadingTo(all, (part) => busy.get(part) ?? hasWork(part))
      for (const part of all) busy.set(part, some.has(part))
    }
    return busy.get(schema) === true
  }

  /** Each set of schemas has one plan, which is made when a value first needs it. */
  function planOf(entries: readonly Entry[]): ValuePlan | undefined {
    const levels = new Map<Schema, Level>()
    const waiting = entries.filter(([schema]) => isBusy(schema))
    for (const [schema, level] of waiting) {
      if ((levels.get(schema) ?? 0) >= level) continue
      levels.set(schema, level)
      waiting.push(...sameValue(schema, level).filter(([part]) => isBusy(part)))
    }
    if (levels.size === 0) return undefined
    const key = [...levels].map(keyOf).sort().join(' ')
    const plan = plans.get(key) ?? newPlan([...levels])
    plans.set(key, plan)
    return plan
  }

  function keyOf([schema, level]: Entry): string {
    const id = ids.get(schema) ?? ids.size
    ids.set(schema, id)
    return `${id}/${level}`
  }

  function newPlan(entries: readonly Entry[]): ValuePlan {
    const schemas = entries.map(([schema]) => schema)
    const hidden = schemas.flatMap((schema) => hiddenIn(schema, 'request'))
    const fields = (least: Level) =>
      entries.flatMap(([{ properties = {} }, level]) => (level >= least ? Object.entries(properties) : []))
    const removed = fields(HIDE).flatMap(([name, schema]) => (isHidden(schema, 'request') ? [name] : []))
    return {
      entries,
      convert: converterOf(schemas),
      conditions: entries.flatMap((entry) => {
        const known = conditions.get(keyOf(entry)) ?? conditionsOf(entry, hidden)
        conditions.set(keyOf(entry), known)
        return known
      }),
      removed,
      defaults: fields(FILL).filter(([name, schema]) => schema.default !== undefined && !removed.includes(name)),
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
          return branch ? [[branch, level]] : []
        },
      ]
    }
    if (level < FILL) return [] // trying the branches of each level of a tree would take time with the square of its depth
    const hiding = [...oneOf, ...anyOf].filter((part) => hiddenIn(part, 'request').length > 0)
    const conditional: Condition[] = hiding.map((branch) => {
      const applies = appliesTo(branch, hidden)
      return (value) => (applies(value) ? [[branch, HIDE]] : [])
    })
    if (condition && [then, otherwise].some((part) => part && isBusy(part))) {
      const applies = appliesTo(condition, hidden)
      conditional.push((value) =>
        [applies(value) ? then : otherwise].flatMap((part) => (part ? [[part, level] as const] : [])),
      )
    }
    for (const [name, part] of Object.entries(dependentSchemas)) {
      conditional.push((value) => (Object.hasOwn(value, name) ? [[part, level]] : []))
    }
    return conditional
  }

  function resolved(plan: ValuePlan, value: object): ValuePlan {
    const tried = new Set<Condition>()
    let here = plan
    for (;;) {
      const open = here.conditions.filter((condition) => !tried.has(condition))
      if (open.length === 0) return here
      for (const condition of open) tried.add(condition)
      const more = open.flatMap((condition) => condition(value))
      if (more.length === 0) return here
      here = planOf([...here.entries, ...more]) as ValuePlan
    }
  }

  const partsAt = (plan: ValuePlan, partsIn: (schema: Schema) => readonly Schema[]) =>
    planOf(
      plan.entries.flatMap(([schema, level]) =>
        partsIn(schema).map((part): Entry => [part, part === schema.contains ? CONVERT : level]),
      ),
    )

  function prepareProperties(plan: ValuePlan): readonly (readonly [string, ValuePlan])[] {
    const schemas = plan.entries.map(([schema]) => schema)
    const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))
    const others = partsAt(plan, (schema) => propertiesAt(schema))
    const hasPatterns = schemas.some((schema) => schema.patternProperties)
    const other = (name: string) => (hasPatterns ? partsAt(plan, (schema) => propertiesAt(schema, name)) : others)
    plan.partOf = others && ((name) => (names.has(name) ? undefined : other(name)))
    const parts = [...names].map((name) => [name, partsAt(plan, (schema) => propertiesAt(schema, name))] as const)
    return parts.filter((entry): entry is readonly [string, ValuePlan] => entry[1] !== undefined)
  }

  function itemsOf(plan: ValuePlan): readonly (ValuePlan | undefined)[] {
    const length = Math.max(0, ...plan.entries.map(([{ prefixItems = [] }]) => prefixItems.length))
    return Array.from({ length: length + 1 }, (_, at) => partsAt(plan, (schema) => itemsAt(schema, at)))
  }

  /** @returns the value, whose parts have changed in place */
  function finish(value: unknown, plan: ValuePlan): unknown {
    if (typeof value === 'number' || typeof value === 'bigint') return plan.convert ? plan.convert(value) : value
    if (typeof value !== 'object' || value === null) return value
    const here = plan.conditions.length > 0 ? resolved(plan, value) : plan
    if (Array.isArray(value)) finishItems(value, here)
    else finishFields(value as Record<string, unknown>, here)
    return value
  }

  function finishItems(values: unknown[], plan: ValuePlan): void {
    plan.items ??= itemsOf(plan)
    const rest = plan.items.length - 1
    for (let at = 0; at < values.length; at++) {
      const part = plan.items[Math.min(at, rest)]
      if (part) values[at] = finish(values[at], part)
      else if (at >= rest) return
    }
  }

  function finishFields(fields: Record<string, unknown>, plan: ValuePlan): void {
    for (const name of plan.removed) delete fields[name]
    for (const [name, schema] of plan.defaults) {
      if (!Object.hasOwn(fields, name) && !isWrong(schema)) fields[name] = structuredClone(schema.default)
    }
    plan.properties ??= prepareProperties(plan)
    for (const [name, part] of plan.properties) {
      if (Object.hasOwn(fields, name)) fields[name] = finish(fields[name], part)
    }
    if (!plan.partOf) return
    for (const name of Object.keys(fields)) {
      const part = plan.partOf(name)
      if (part) fields[name] = finish(fields[name], part)
    }
  }

  return (schema: Schema): ((value: unknown) => void) => {
    const plan = planOf([[schema, FILL]])
    return (value) => {
      if (plan) finish(value, plan)
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
    ...[...some, ...others].map((part): Entry => [part, CONVERT]),
  ]
}
