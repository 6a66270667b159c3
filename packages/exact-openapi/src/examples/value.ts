// A value of a schema, for what the document gives no example of.
import { isHidden, type Schema } from '../model/index.ts'
import { textOf } from './text.ts'

export type Place = 'request' | 'response'

/** An example, default or known value of its own, else the simplest that fits. @param within the schemas that it is a part of */
export function exampleValue(
  schema: Schema | undefined,
  place: Place = 'request',
  within: readonly Schema[] = [],
): unknown {
  if (!schema || within.includes(schema)) return 'string'
  const given = [schema.example, schema.default].find((value) => value !== undefined)
  if (given !== undefined) return given
  const demands = demandsOf(schema, within)
  const [scalar] = demands.map((one) => one.example ?? one.default).filter(isScalar)
  if (scalar !== undefined) return scalar
  const around = [...within, ...demands]
  const partOf = (part: Schema | undefined) => exampleValue(part, place, around)
  const values = valuesOf(demands)
  if (values) return values[0]
  const type = demands.map((one) => one.type).find((one) => one !== undefined)
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'integer' || type === 'number') return numberOf(demands)
  if (type === 'array' || demands.some(({ items, prefixItems }) => items ?? prefixItems))
    return listOf(demands, around, partOf)
  const isObject = type === 'object' || demands.some(({ properties, required }) => properties ?? required)
  return isObject ? objectOf(demands, place, around, partOf) : textOf(demands)
}

const isScalar = (value: unknown) => value !== undefined && typeof value !== 'object'

/** The schemas that a value has to fit: those of `allOf`, and of alternatives the first that does not lead back. */
function demandsOf(schema: Schema, within: readonly Schema[]): Schema[] {
  const { allOf = [], oneOf, anyOf, discriminator } = schema
  const alternatives = oneOf ?? anyOf ?? []
  const chosen = alternatives.find((one) => !within.includes(one)) ?? alternatives[0]
  const [value] = discriminator?.choices.find((choice) => choice.schema === chosen)?.values ?? []
  const named: Schema[] =
    discriminator && value !== undefined
      ? [
          {
            pointer: '',
            properties: { [discriminator.propertyName]: { pointer: '', enum: [value] } },
            required: [discriminator.propertyName],
          },
        ]
      : []
  return [schema, ...named, ...[...allOf, ...(chosen ? [chosen] : [])].flatMap((part) => demandsOf(part, within))]
}

/** The values that all enums have in common, without those that `not` excludes. */
function valuesOf(demands: readonly Schema[]): unknown[] | undefined {
  const [first, ...others] = demands.flatMap(({ enum: values }) => (values ? [values as unknown[]] : []))
  const excluded = demands.flatMap(({ not }) => (not?.enum ?? []) as unknown[])
  const common = first?.filter((value) => others.every((values) => values.includes(value)) && !excluded.includes(value))
  return common?.length ? common : first
}

/** 1, or what is nearest to it within the bounds. */
function numberOf(demands: readonly Schema[]): number {
  const isInteger = demands.some(({ type }) => type === 'integer')
  const step = Math.max(0, ...demands.map(({ multipleOf = 0 }) => multipleOf))
  const gap = step || (isInteger ? 1 : 0.5)
  const least = Math.max(...demands.map((one) => boundOf(one.minimum, one.exclusiveMinimum, gap)))
  const most = Math.min(...demands.map((one) => -boundOf(negated(one.maximum), one.exclusiveMaximum, gap)))
  const value = Math.min(Math.max(1, least), most)
  if (!step) return isInteger ? Math.ceil(value) : value
  const count = Math.ceil(value / step)
  return Number(((count * step > most ? count - 1 : count) * step).toPrecision(12))
}

const negated = (value: number | undefined) => (value === undefined ? undefined : -Number(value))

/** The least value, which may be greater than an exclusive bound by a gap. */
function boundOf(bound: number | undefined, isExclusive: boolean | undefined, gap: number): number {
  if (bound === undefined) return Number.NEGATIVE_INFINITY
  return isExclusive ? Number(bound) + gap : Number(bound)
}

type PartOf = (part: Schema | undefined) => unknown

function listOf(demands: readonly Schema[], around: readonly Schema[], partOf: PartOf): unknown[] {
  const prefix = demands.flatMap(({ prefixItems = [] }) => prefixItems).map(partOf)
  const items = demands.map((one) => one.items ?? one.contains).find((one) => one !== undefined)
  const most = Math.min(...demands.map(({ maxItems = Number.POSITIVE_INFINITY }) => maxItems))
  const isBack = items !== undefined && around.includes(items)
  const least = Math.max(isBack ? 0 : 1, ...demands.map(({ minItems = 0 }) => minItems))
  const isDistinct = demands.some(({ uniqueItems }) => uniqueItems)
  const count = Math.max(0, Math.min(least, most) - prefix.length)
  const more = Array.from({ length: items || prefix.length === 0 ? count : 0 }, (_, at) => {
    const value = partOf(items)
    return isDistinct && at > 0 ? varied(value, items, at) : value
  })
  return [...prefix, ...more]
}

/** Another value than those before. */
function varied(value: unknown, schema: Schema | undefined, at: number): unknown {
  const values = (schema && valuesOf(demandsOf(schema, []))) ?? []
  if (values.length > at) return values[at]
  if (typeof value === 'number') return value + at * (schema?.multipleOf ?? 1)
  if (typeof value === 'string') return `${value.slice(0, (schema?.maxLength ?? value.length + 9) - 1)}${at}`
  return typeof value === 'boolean' ? !value : value
}

/** With what is required, and what has an example of its own. */
function objectOf(demands: readonly Schema[], place: Place, around: readonly Schema[], partOf: PartOf): object {
  const properties = new Map<string, Schema[]>()
  for (const demand of demands) {
    for (const [name, one] of Object.entries(demand.properties ?? {})) {
      properties.set(name, [...(properties.get(name) ?? []), one])
    }
  }
  const isShown = (name: string) => !properties.get(name)?.some((one) => isHidden(one, place))
  const required = demands.flatMap((one) => one.required ?? [])
  const optional = [...properties].filter(
    ([name, all]) => !required.includes(name) && !all.some((one) => around.includes(one)),
  )
  const exemplary = optional.filter(([, all]) => all.some(({ example }) => example !== undefined)).map(([name]) => name)
  const least = Math.max(0, ...demands.map(({ minProperties = 0 }) => minProperties))
  const names = [...new Set([...required, ...exemplary])].filter(isShown)
  const more = optional.map(([name]) => name).filter((name) => isShown(name) && !names.includes(name))
  const others = demands.map((one) => one.additionalProperties).find((one) => typeof one === 'object')
  const member = (name: string) => {
    const all = properties.get(name)
    if (!all) return partOf(typeof others === 'object' ? others : undefined)
    return partOf(all.length === 1 ? all[0] : { pointer: '', allOf: all })
  }
  const shown = [...names, ...more.slice(0, Math.max(0, least - names.length))]
  return Object.fromEntries(shown.map((name) => [name, member(name)]))
}
