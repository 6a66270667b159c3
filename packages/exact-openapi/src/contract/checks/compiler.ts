// Compiles schemas of the model with Ajv, each when a value is first checked.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import { type Model, patternOf, placeIn, type Schema } from '../../model/index.ts'
import { type Finding, textOf } from '../errors.ts'
import { type Tolerate, tolerating } from '../tolerate.ts'
import { formats } from './formats.ts'
import { EXACT, type Numeric, numberCheck, oneOf } from './numbers.ts'
import { ABSENT, DEFAULTS, type Direction, translator } from './translate.ts'

/** Validates the parts of a request, or `{ body }`. */
export type Check = (value: object) => Finding[]
export type Compile = (parts: Schema) => Check

const compilers = new WeakMap<Model, WeakMap<Tolerate, Map<Direction, Compile>>>()

/**
 * The compiler of a model: the apps of a process share it, and responses share what has the same pointer. The defaults of
 * requests are checked at once. Everything else that could be wrong with a schema has been checked by `findingsOf`.
 */
export function compilerOf(model: Model, direction: Direction, tolerate = tolerating([])): Compile {
  const ofModel = compilers.get(model) ?? new WeakMap<Tolerate, Map<Direction, Compile>>()
  compilers.set(model, ofModel)
  const byDirection = ofModel.get(tolerate) ?? new Map<Direction, Compile>()
  ofModel.set(tolerate, byDirection)
  const compile = byDirection.get(direction) ?? createCompiler(model, direction, tolerate)
  byDirection.set(direction, compile)
  return compile
}

/** The keywords of a schema that is compiled again wherever it is used; a larger one is compiled once. */
const MAX_INLINED = 10

function createCompiler({ isFormer }: Model, direction: Direction, tolerate: Tolerate): Compile {
  const isConverting = direction !== 'response'
  const regExp = Object.assign(patternOf, { code: 'patternOf' }) // the code is for validators that are written to a file
  // What the schemas are translated from has been validated, and Ajv's own schema takes 25 ms to compile.
  const unchecked = { strict: false, validateSchema: false }
  const options = { ...unchecked, allErrors: true, ownProperties: true, inlineRefs: MAX_INLINED, code: { regExp } }
  const ajv = isFormer ? new Ajv(options) : new Ajv2020(options)
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  ajv.addKeyword({
    keyword: EXACT,
    schemaType: 'object',
    errors: true,
    modifying: isConverting,
    compile: (numeric: Numeric) => numberCheck(numeric, !isConverting),
  })
  ajv.addKeyword({
    keyword: DEFAULTS,
    type: 'object',
    schemaType: 'object',
    before: 'properties',
    modifying: true,
    validate: addDefaults,
  })
  ajv.addKeyword({
    keyword: ABSENT,
    schemaType: 'boolean',
    errors: true,
    modifying: true,
    compile: () => absent(direction),
  })

  const isKnown = (format: string) => Object.hasOwn(ajv.formats, format)
  const { definitions, translate, defaults } = translator(direction, isKnown)

  function compile(schema: object): ValidateFunction {
    for (const [id, definition] of definitions) ajv.addSchema(definition, id)
    definitions.clear()
    return ajv.compile(schema)
  }

  /** By schema, what is wrong with its default; undefined if nothing is. */
  const problems = new Map<Schema, string | undefined>()

  /** Validates several defaults by one schema: to compile one for each would cost more. */
  function checkDefaults(schemas: readonly Schema[]): void {
    const properties = Object.fromEntries(schemas.map((one, at) => [at, translate(one)]))
    defaults.length = 0 // those within have been found with what contains them
    const values = Object.fromEntries(schemas.map((one, at) => [at, structuredClone(one.default)]))
    const validate = compile({ type: 'object', properties })
    const findings = validate(values) ? [] : errorsOf(validate)
    for (const [at, schema] of schemas.entries()) {
      const own = findings.filter(({ place }) => place.split(' ')[0] === `${at}`)
      const text = own.map((finding) => textOf(finding).replace(/^\d+/, 'default')).join('; ')
      problems.set(schema, own.length > 0 ? text : undefined)
    }
  }

  /** A default that is filled in within itself ends in an overflow of the stack. */
  function checkEndlessDefault(schema: Schema): void {
    try {
      checkDefaults([schema])
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      problems.set(schema, 'default must not be filled in within itself')
    }
  }

  /** Those that were found since the last call. */
  function requireValidDefaults(): void {
    const found = defaults.splice(0)
    const others = [...new Set(found.map(({ schema }) => schema))].filter((one) => !problems.has(one))
    try {
      if (others.length > 0) checkDefaults(others)
    } catch {
      others.forEach(checkEndlessDefault)
    }
    const wrong = found.filter(({ schema }) => problems.get(schema))
    const lines = wrong.map(({ schema }) => `${placeIn(schema.pointer)}: ${problems.get(schema)}, or be left out`)
    tolerate('wrong-default', lines)
    for (const { name, values } of wrong) delete values[name]
  }

  const checks = new Map<string, Check>()
  return (parts) => {
    const known = checks.get(parts.pointer)
    if (known) return known
    let translated = direction === 'request' ? translate(parts) : undefined
    requireValidDefaults()
    let compiled: ValidateFunction | undefined
    const check: Check = (value) => {
      compiled ??= compile(translated ?? translate(parts))
      translated = undefined
      return compiled(value) ? [] : errorsOf(compiled)
    }
    checks.set(parts.pointer, check)
    return check
  }
}

function addDefaults(defaults: Record<string, unknown>, data: Record<string, unknown>): boolean {
  for (const [name, value] of Object.entries(defaults)) {
    if (!Object.hasOwn(data, name)) data[name] = structuredClone(value)
  }
  return true
}

/** A readOnly property of a request is removed: clients send back what they were sent. A writeOnly one is never sent. */
function absent(direction: Direction): DataValidateFunction {
  const check: DataValidateFunction = (_data: unknown, context?: DataValidationCxt) => {
    if (direction === 'request') {
      Reflect.deleteProperty(Object(context?.parentData), String(context?.parentDataProperty))
      return true
    }
    check.errors = [{ keyword: ABSENT, message: 'must not be sent: it is writeOnly', params: { rule: 'writeOnly' } }]
    return false
  }
  return check
}

const errorsOf = ({ errors }: ValidateFunction) => (errors as ErrorObject[]).map(describe)

/** A validation error: the place within the value, and what it must be. */
function describe({ instancePath, keyword, params, message = '' }: ErrorObject): Finding {
  const [part, ...within] = instancePath.split('/').slice(1)
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  const place = [part, [...within, ...missing].join('/')].filter(Boolean).join(' ')
  const finding = (text: string) => ({ place, rule: params.rule ?? keyword, message: text })
  if (keyword === 'required') return finding('is required')
  if (keyword === 'additionalProperties') return finding(`must not have the property "${params.additionalProperty}"`)
  return finding(keyword === 'enum' ? oneOf(params.allowedValues) : message)
}
