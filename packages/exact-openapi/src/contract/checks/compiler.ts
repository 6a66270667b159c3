// Compiles schemas of the model with Ajv, in strict mode.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import { isExact, type Model, patternOf, placeIn, type Schema, visitNumbers } from '../../model/index.ts'
import { type Finding, textOf } from '../errors.ts'
import { type Tolerate, tolerating } from '../tolerate.ts'
import { formats } from './formats.ts'
import { EXACT, type Numeric, numberCheck, oneOf } from './numbers.ts'
import { ABSENT, DEFAULTS, type Default, type Direction, translator } from './translate.ts'

/** Validates the parts of a request, or `{ body }`. */
export type Check = (value: object) => Finding[]
export type Compile = (parts: Schema) => Check

const compilers = new WeakMap<Model, WeakMap<Tolerate, Map<Direction, Compile>>>()

/**
 * The compiler of a model: the apps of a process share it, and responses share what has the same pointer. It throws for what
 * is not supported, and compiles the schemas of requests at once, those of responses when they are first checked.
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

function createCompiler(
  { sharedSchemas, isFormer, hasMixedNumbers }: Model,
  direction: Direction,
  tolerate: Tolerate,
): Compile {
  const isConverting = direction !== 'response'
  const regExp = Object.assign(patternOf, { code: 'patternOf' }) // the code is for validators that are written to a file
  const options = { strictRequired: false, strictTypes: false, allErrors: true, ownProperties: true }
  // requireValid has validated what the schemas are translated from, and Ajv's own schema takes 25 ms to compile.
  const Engine = isFormer ? Ajv : Ajv2020
  const ajv = new Engine({ strict: true, strictTuples: false, validateSchema: false, ...options, code: { regExp } })
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
  const { definitions, translate, defaults } = translator(sharedSchemas, direction, isKnown)
  ajv.addSchema({ $id: 'document', definitions: definitions() })

  /** Validates all defaults by one schema: to compile one for each would cost more. */
  function requireValidDefaults(all: readonly Default[]): void {
    if (all.length === 0) return
    const properties = Object.fromEntries(all.map(({ schema }, at) => [`${at}`, translate(schema)]))
    const validate = ajv.compile({ type: 'object', properties })
    if (validate(Object.fromEntries(all.map(({ schema }, at) => [`${at}`, structuredClone(schema.default)])))) return
    const findings = errorsOf(validate)
    const wrong = all.flatMap((one, at) => {
      const own = findings
        .filter(({ place }) => place.split(' ')[0] === `${at}`)
        .map((finding) => textOf(finding).replace(/^\d+/, 'default'))
      return own.length > 0
        ? [{ ...one, problem: `${placeIn(one.schema.pointer)}: ${own.join('; ')}, or be left out` }]
        : []
    })
    const problems = wrong.map(({ problem }) => problem)
    tolerate('wrong-default', problems)
    for (const { name, values } of wrong) delete values[name]
  }

  const checks = new Map<string, Check>()
  return (parts) => {
    const known = checks.get(parts.pointer)
    if (known) return known
    if (hasMixedNumbers) visitNumbers([parts], requireOneType)
    const schema = translate(parts)
    let compiled: ValidateFunction | undefined
    const validator = () => (compiled ??= ajv.compile(schema))
    if (direction === 'request') validator()
    requireValidDefaults(defaults.splice(0))
    const check: Check = (value) => (validator()(value) ? [] : errorsOf(validator()))
    checks.set(parts.pointer, check)
    return check
  }
}

/** @throws naming the place within the value */
function requireOneType(numbers: readonly Schema[], place: readonly string[]): void {
  if (new Set(numbers.map(isExact)).size === 1) return
  const instead = 'write int64 or integer for both'
  throw new Error(`${place.join(' ')}: an int64 beside a number that may have a fraction is not supported: ${instead}`)
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
