// Finds defaults that their own schemas refuse.
import type { ValidateFunction } from 'ajv'
import { placeIn, type Schema } from '../../model/index.ts'
import { textOf } from '../errors.ts'
import { errorsOf } from './engine.ts'
import type { Default } from './translate.ts'

/** Compiles schemas as the properties of an object. */
type CompileAll = (schemas: readonly Schema[]) => ValidateFunction

/** @returns a function that removes wrong defaults, and returns what is wrong with them */
export function defaultsRemover(compile: CompileAll): (defaults: readonly Default[]) => string[] {
  /** By schema, what is wrong with its default; undefined if nothing is. */
  const problems = new Map<Schema, string | undefined>()

  /** Together, as it costs more to compile a schema for each. */
  function check(schemas: readonly Schema[]): void {
    const validate = compile(schemas)
    const values = Object.fromEntries(schemas.map((one, at) => [at, structuredClone(one.default)]))
    const findings = validate(values) ? [] : errorsOf(validate)
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

  return (defaults) => {
    const unknown = [...new Set(defaults.map(({ schema }) => schema))].filter((one) => !problems.has(one))
    try {
      if (unknown.length > 0) check(unknown)
    } catch {
      unknown.forEach(checkAlone)
    }
    const wrong = defaults.filter(({ schema }) => problems.get(schema))
    for (const { name, values } of wrong) delete values[name]
    return wrong.map(({ schema }) => `${placeIn(schema.pointer)}: ${problems.get(schema)}, or be left out`)
  }
}
