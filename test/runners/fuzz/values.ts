// Random values of a schema, and values that are close to it.
import type { Schema } from 'exact-openapi/model'
import type { Random } from '../../hostile/random.ts'

const odd: readonly unknown[] = [
  ...[null, true, false, 0, -0.5, 1, 5, 1.5, 2 ** 31, 2 ** 53, 9007199254740993n, -1],
  ...['', ' ', 'a', 'abcd', '5', 'true', 'null', 'é', '😀', [], ['a', 'a'], [1, [2]]],
  ...[{}, { a: 1 }, { a: '1' }, { kind: 'cat' }, { kind: 'dog', lives: 1 }],
]
const texts: Record<string, readonly string[]> = {
  date: ['2026-10-05', '2026-02-30', '2026-2-3'],
  'date-time': ['T09:00:00Z', 't09:00:00.5+01:00', ' 09:00:00Z', 'T09:00:00', 'T24:00:00Z'].map(
    (time) => `2026-10-05${time}`,
  ),
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  byte: ['YQ==', 'YQ', '', 'Y_=='],
  email: ['a@example.com', 'a@', 'a'],
  hostname: ['example.com', '-a', 'a b'],
  ipv4: ['127.0.0.1', '127.0.0.256'],
}

/** One in ten is of no type at all; others are at the bounds of their schema. */
export function randomValue(random: Random, schema: Schema, depth = 0): unknown {
  if (random.chance(0.1)) return random.pick(odd)
  const { type, nullable, enum: values, allOf = [], oneOf = [], anyOf = [] } = schema
  if (nullable && random.chance(0.1)) return null
  if (values && random.chance(0.8)) return random.pick(values)
  const branches = [...oneOf, ...anyOf]
  if (branches.length > 0) return branchOf(random, schema, random.below(branches.length), depth)
  if (allOf.length > 0) return Object.assign({}, ...allOf.map((one) => randomValue(random, one, depth)))
  if (type === 'integer' || type === 'number') return numberOf(random, schema)
  if (type === 'string') return textOf(random, schema)
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'array') {
    const { prefixItems = [], items = { pointer: '' } } = schema
    const schemas = Array.from({ length: random.between(0, 3) }, (_, at) => prefixItems[at] ?? items)
    return schemas.map((one) => randomValue(random, one, depth + 1))
  }
  return type === 'object' ? objectOf(random, schema, depth) : random.pick(odd)
}

function branchOf(random: Random, { oneOf = [], anyOf = [], discriminator }: Schema, at: number, depth: number) {
  const branch = [...oneOf, ...anyOf][at] as Schema
  const value = randomValue(random, branch, depth)
  const name = discriminator && random.pick(discriminator.choices[random.chance(0.8) ? at : 0]?.values ?? [])
  return name && typeof value === 'object' ? { ...value, [discriminator.propertyName]: name } : value
}

function objectOf(random: Random, schema: Schema, depth: number) {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const chanceOf = (name: string) => (required.includes(name) ? 0.95 : depth > 2 ? 0.1 : 0.5)
  const names = Object.keys(properties).filter((name) => random.chance(chanceOf(name)))
  const entries = names.map((name) => [name, randomValue(random, properties[name] as Schema, depth + 1)])
  if (typeof others === 'object') entries.push(['more', randomValue(random, others, depth + 1)])
  if (random.chance(0.1)) entries.push(['unknown', random.pick(odd)])
  return Object.fromEntries(entries)
}

function numberOf(random: Random, { type, format, minimum = -10, maximum = 10 }: Schema): unknown {
  const near = random.pick([minimum, maximum]) + random.pick([-1, 0, 1])
  const large = [2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n]
  if (format && random.chance(0.1)) return random.pick(large)
  return type === 'number' && random.chance(0.5) ? near + random.pick([0.5, -0.25, 0.1]) : near
}

function textOf(random: Random, { format = '', minLength = 0, maxLength = minLength + 2 }: Schema): string {
  const known = texts[format]
  if (known && random.chance(0.9)) return random.pick(known)
  return random.text(random.between(Math.max(0, minLength - 1), maxLength + 1), 'abc é,%&+= ')
}
