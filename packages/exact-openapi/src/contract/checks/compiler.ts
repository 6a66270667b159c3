// Compiles schemas of the model into checks.
import type { ValidateFunction } from 'ajv'
import type { Model, Schema } from '../../model/index.ts'
import type { Finding } from '../errors.ts'
import { tolerating } from '../tolerate.ts'
import { defaultsRemover } from './defaults.ts'
import { createEngine, errorsOf } from './engine.ts'
import { type Direction, translator } from './translate.ts'

/** Validates the parts of a request, or `{ body }`. */
export type Check = (value: object) => Finding[]
export type Compile = (parts: Schema) => Check

interface Compiled {
  check: Check
  wrongDefaults: readonly string[]
}
type Compiler = (parts: Schema) => Compiled

const compilers = new WeakMap<Model, Map<Direction, Compiler>>()

/**
 * The compiler of a model, which all apps of a process share. It compiles a schema when a value is first checked, as the
 * start of a large document would take long. Nothing fails then: the document has been validated, and the defaults of
 * requests are checked at once.
 */
export function compilerOf(model: Model, direction: Direction, tolerate = tolerating([])): Compile {
  const byDirection = compilers.get(model) ?? new Map<Direction, Compiler>()
  compilers.set(model, byDirection)
  const compile = byDirection.get(direction) ?? createCompiler(model, direction)
  byDirection.set(direction, compile)
  return (parts) => {
    const { check, wrongDefaults } = compile(parts)
    tolerate('wrong-default', wrongDefaults)
    return check
  }
}

function createCompiler({ isFormer }: Model, direction: Direction): Compiler {
  const engine = createEngine(isFormer, direction)
  const { definitions, translate, defaults } = translator(direction, (name) => Object.hasOwn(engine.formats, name))
  const removeWrong = defaultsRemover((schemas) => {
    const properties = Object.fromEntries(schemas.map((one, at) => [at, translate(one)]))
    defaults.length = 0 // those within have been found with what contains them
    return compileNode({ type: 'object', properties })
  })

  function compileNode(node: object): ValidateFunction {
    for (const [id, definition] of definitions) engine.addSchema(definition, id)
    definitions.clear()
    return engine.compile(node)
  }

  /** Those of requests are translated at once, which finds their defaults. */
  function compiled(parts: Schema): Compiled {
    let node = direction === 'request' ? translate(parts) : undefined
    const wrongDefaults = removeWrong(defaults.splice(0))
    let validate: ValidateFunction | undefined
    const check: Check = (value) => {
      validate ??= compileNode(node ?? translate(parts))
      node = undefined
      return validate(value) ? [] : errorsOf(validate)
    }
    return { check, wrongDefaults }
  }

  const known = new Map<string, Compiled>()
  return (parts) => {
    const result = known.get(parts.pointer) ?? compiled(parts)
    known.set(parts.pointer, result)
    return result
  }
}
