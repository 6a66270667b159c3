// Compiles schemas of the model into checks.
import type { ValidateFunction } from 'ajv'
import { type Model, reachable, type Schema } from '../../model/index.ts'
import type { Finding } from '../errors.ts'
import { tolerating } from '../tolerate.ts'
import { defaultsCheck, severalDefaultsIn } from './defaults.ts'
import { createEngine, errorsOf, isTextFormat } from './engine.ts'
import { filledParts, finisher } from './finish.ts'
import { type CheckKind, translator } from './translate.ts'

/** Validates an object with these properties: the parts of a request, or `{ body }`. */
export type Check = (value: object) => Finding[]
export type Compile = (properties: Readonly<Record<string, Schema>>) => Check

interface Compiled {
  check: Check
  wrongDefaults: readonly string[]
}
type Compiler = (properties: Parameters<Compile>[0]) => Compiled

const compilers = new WeakMap<Model, Map<CheckKind, Compiler>>()

/**
 * The compiler of a model, which all apps of a process share. It compiles a schema when a value is first checked, as the
 * start of a large document would take long. Nothing fails then: the document has been validated, and the defaults of
 * requests are checked at once.
 */
export function compilerOf(model: Model, kind: CheckKind, tolerate = tolerating([])): Compile {
  const byDirection = compilers.get(model) ?? new Map<CheckKind, Compiler>()
  compilers.set(model, byDirection)
  const compile = byDirection.get(kind) ?? createCompiler(model, kind)
  byDirection.set(kind, compile)
  return (properties) => {
    const { check, wrongDefaults } = compile(properties)
    tolerate('wrong-default', wrongDefaults)
    return check
  }
}

function createCompiler({ isOpenApi30, tracksEvaluated }: Model, kind: CheckKind): Compiler {
  const engine = createEngine(isOpenApi30, kind)
  const { definitions, translate } = translator(kind, (name) => isTextFormat(engine, name), tracksEvaluated)
  const seen = new Set<Schema>()
  const defaults = defaultsCheck((schemas) => {
    const properties = Object.fromEntries(schemas.map((schema, at) => [at, schema]))
    const parts: Schema = { pointer: 'defaults', type: 'object', properties }
    const validate = compileNode(translate(parts))
    const finish = finisherOf(parts)
    return (values) => {
      const findings = validate(values) ? [] : errorsOf(validate)
      finish(values)
      return findings
    }
  })
  const finisherOf = finisher((branch, hidden) => compileNode(translate(branch, new Set(hidden))), defaults.isWrong)

  function compileNode(node: object): ValidateFunction {
    for (const [id, definition] of definitions) engine.addSchema(definition, id)
    definitions.clear()
    return engine.compile(node)
  }

  /** Of what no other schema has shown before. */
  function wrongDefaultsIn(parts: Schema): string[] {
    const all = reachable([parts], (schema) => filledParts(schema).filter((part) => !seen.has(part)))
    for (const part of all) seen.add(part)
    const filled = new Set<Schema>()
    for (const { properties } of all) {
      for (const part of Object.values(properties ?? {})) if (part.default !== undefined) filled.add(part)
    }
    return [...[...all].flatMap(severalDefaultsIn), ...defaults.wrongIn([...filled])]
  }

  function compiled(parts: Schema): Compiled {
    let validate: ValidateFunction | undefined
    let finish: ReturnType<typeof finisherOf> | undefined
    const check: Check = (value) => {
      validate ??= compileNode(translate(parts))
      if (!validate(value)) return errorsOf(validate)
      if (kind !== 'request') return []
      finish ??= finisherOf(parts)
      finish(value)
      return []
    }
    return { check, wrongDefaults: kind === 'request' ? wrongDefaultsIn(parts) : [] }
  }

  const known = new Map<string, Compiled>()
  return (properties) => {
    // A pointer stands for one schema of the document, or for one that is made of it.
    const key = JSON.stringify(Object.entries(properties).map(([name, { pointer }]) => [name, pointer]))
    const result = known.get(key) ?? compiled({ pointer: '', type: 'object', properties })
    known.set(key, result)
    return result
  }
}
