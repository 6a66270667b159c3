// Finds defaults that their own schemas refuse, and several for one value.
import { certain, placeIn, reachable, type Schema } from '../../model/index.ts'
import { type Finding, textOf } from '../errors.ts'
import { canonical } from './numbers.ts'

/** Compiles schemas as the properties of an object, and also fills in what they lack. */
type CheckAll = (schemas: readonly Schema[]) => (values: object) => Finding[]

/** What has several defaults that differ: a value, or a property of an object, whose parts do not agree. */
export function severalDefaultsIn(schema: Schema): string[] {
  if (certain(schema).length === 0) return [] // as most: a value and each property have one
  const defaults = new Map<string, readonly unknown[]>([['the value', schema.defaults ?? []]])
  for (const { properties = {} } of reachable([schema], certain)) {
    for (const [name, part] of Object.entries(properties)) {
      if (part.default !== undefined) defaults.set(name, [...(defaults.get(name) ?? []), part.default])
    }
  }
  return [...defaults].flatMap(([name, all]) => {
    const texts = [...new Set(all.map(canonical))]
    return texts.length > 1
      ? [`${placeIn(schema.pointer)}: ${name} has the defaults ${texts.join(' and ')}: write one`]
      : []
  })
}

/** Says what is wrong with the defaults of schemas. */
export function defaultsCheck(compile: CheckAll) {
  /** By schema, what is wrong with its default; undefined if nothing is. */
  const problems = new Map<Schema, string | undefined>()

  /** Together, as it costs more to compile a schema for each. */
  function check(schemas: readonly Schema[]): void {
    const findings = compile(schemas)(
      Object.fromEntries(schemas.map((schema, at) => [at, structuredClone(schema.default)])),
    )
    for (const [at, schema] of schemas.entries()) {
      const own = findings.filter(({ place }) => place.split(' ')[0] === `${at}`)
      const text = own.map((finding) => textOf(finding).replace(/^\d+/, 'default')).join('; ')
      problems.set(schema, own.length > 0 ? text : undefined)
    }
  }

  function checkAlone(schema: Schema): void {
    try {
      check([schema])
    } catch (error) {
      /* c8 ignore next -- a fault of the server's own */
      if (!(error instanceof RangeError)) throw error
      problems.set(schema, 'default must not be filled in within itself') // which overflows the stack
    }
  }

  const isWrong = (schema: Schema) => problems.get(schema) !== undefined
  const wrongIn = (schemas: readonly Schema[]): string[] => {
    const unknown = schemas.filter((schema) => !problems.has(schema))
    try {
      if (unknown.length > 0) check(unknown)
    } catch {
      unknown.forEach(checkAlone)
    }
    return schemas
      .filter(isWrong)
      .map((schema) => `${placeIn(schema.pointer)}: ${problems.get(schema)}, or be left out`)
  }
  return { isWrong, wrongIn }
}
