// Finds what only the size of a request limits. Reading and checking a request takes time in proportion to its size.
import { type Operation, partsOf, type Schema, sameValue, withAllOf } from '../model/index.ts'

/** Keywords that limit a value, in any schema of the same value. */
const limits = ['maxItems', 'maxLength', 'maxProperties'] as const
type Limit = (typeof limits)[number]

/** By keyword, what takes longer the more a value has, if the schema has it. */
const checked: Record<Limit, (schema: Schema) => string | false> = {
  maxItems: ({ type, uniqueItems }) => (uniqueItems ? 'uniqueItems' : type === 'array' && 'a list'),
  maxLength: ({ pattern, enum: values }) => pattern !== undefined && !values && 'a pattern',
  maxProperties: ({ patternProperties, propertyNames }) =>
    (patternProperties ?? propertyNames) !== undefined && 'names',
}

/** How many are printed for each operation. */
const MOST = 3

/** In a line: `query ids (a list) without maxItems`; undefined if everything is limited. */
export function costOf({ parameters, body }: Operation): string | undefined {
  const found = new Set<string>()
  const seen = new Set<Schema>()

  function visit(schema: Schema, label: string, limited: readonly Limit[]): void {
    if (seen.has(schema)) return
    seen.add(schema)
    const same = withAllOf(schema)
    const known = limits.filter((limit) => limited.includes(limit) || same.some((part) => part[limit] !== undefined))
    for (const limit of limits) {
      const what = !known.includes(limit) && checked[limit](schema)
      if (what) found.add(`${label} (${what}) without ${limit}`)
    }
    for (const [name, part] of Object.entries(schema.properties ?? {})) visit(part, `${label}/${name}`, [])
    for (const part of sameValue(schema)) visit(part, label, known)
    for (const part of partsOf(schema)) visit(part, `${label}/*`, [])
  }

  // The router limits the parameters of a path.
  for (const { in: location, name, schema } of parameters)
    if (schema && location !== 'path') visit(schema, `${location} ${name}`, [])
  for (const { schema } of body?.media ?? []) if (schema) visit(schema, 'body', [])
  const lines = [...found]
  const more = lines.length > MOST ? [`${lines.length - MOST} more`] : []
  return lines.length > 0 ? [...lines.slice(0, MOST), ...more].join(', ') : undefined
}
