// Ajv with the formats and the keywords that the translated schemas need.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import { patternOf } from '../../model/index.ts'
import type { Finding } from '../errors.ts'
import { formats } from './formats.ts'
import { EXACT, type Numeric, numberCheck, oneOf } from './numbers.ts'
import { ABSENT, DEFAULTS, type Direction } from './translate.ts'

/** A schema with more keywords becomes one function that all references to it share; a smaller one is repeated. */
const MOST_REPEATED = 10

/** The document has been validated before: Ajv validates no schemas, for which it would compile one of its own for 25 ms. */
const unchecked = { strict: false, validateSchema: false }

/** @param isFormer whether schemas are those of OpenAPI 3.0 */
export function createEngine(isFormer: boolean, direction: Direction): Ajv {
  const isConverting = direction !== 'response'
  const regExp = Object.assign(patternOf, { code: 'patternOf' }) // the code is for validators that are written to a file
  const options = { ...unchecked, allErrors: true, ownProperties: true, inlineRefs: MOST_REPEATED, code: { regExp } }
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
  return ajv
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

export const errorsOf = ({ errors }: ValidateFunction) => (errors as ErrorObject[]).map(describe)

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
