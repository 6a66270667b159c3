// Ajv with the formats and the keywords that the translated schemas need.
import { _, Ajv, type CodeKeywordDefinition, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { patternOf } from '../../model/index.ts'
import type { Finding } from '../errors.ts'
import { formats } from './formats.ts'
import { type Broken, EXACT, identityOf, numberCheck, oneOf } from './numbers.ts'
import { ABSENT, type CheckKind } from './translate.ts'

/** A schema with more keywords becomes one function that all references to it share; a smaller one is repeated. */
const MOST_REPEATED = 10

/** The document has been validated before: Ajv validates no schemas, for which it would compile one of its own for 25 ms. */
const unchecked = { strict: false, validateSchema: false }

/** @param isOpenApi30 whether schemas are those of OpenAPI 3.0 */
export function createEngine(isOpenApi30: boolean, kind: CheckKind): Ajv {
  const regExp = Object.assign(patternOf, { code: 'patternOf' }) // the code is for validators that are written to a file
  const options = { ...unchecked, allErrors: true, ownProperties: true, inlineRefs: MOST_REPEATED }
  const code = { regExp, process: pushing }
  const ajv = isOpenApi30 ? new Ajv({ ...options, code }) : new Ajv2020({ ...options, code })
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  for (const keyword of ['enum', 'uniqueItems']) ajv.removeKeyword(keyword)
  ajv.addKeyword(judging(EXACT, (numeric) => numberCheck(numeric, kind === 'response')))
  ajv.addKeyword(judging(ABSENT, () => () => ['writeOnly', 'must not be sent: it is writeOnly']))
  ajv.addKeyword(judging('enum', isAmong))
  ajv.addKeyword({ ...judging('uniqueItems', () => isRepeating), type: 'array' })
  return ajv
}

/** Ajv also has formats of numbers, which our own keyword checks. */
export const isTextFormat = ({ formats }: Ajv, name: string): boolean =>
  Object.hasOwn(formats, name) && Object(formats[name]).type !== 'number'

/** Errors of a keyword of type `validate` or of a reference are joined by Ajv for each error: a copy of all before it. */
const pushing = (source: string) =>
  source.replaceAll(/vErrors\.concat\(([\w.]+)\)/g, '$1.reduce((all, one) => (all.push(one), all), vErrors)')

/** A keyword that looks at a value, and changes nothing. @param compile returns a function that says what a value breaks */
function judging(
  keyword: string,
  compile: (schema: never) => (value: never) => Broken | undefined,
): CodeKeywordDefinition {
  return {
    keyword,
    code(context) {
      const { gen, data, schema } = context
      const judge = gen.scopeValue('keyword', { ref: compile(schema as never) })
      const broken = gen.const('broken', _`${judge}(${data})`)
      context.setParams({ broken })
      context.pass(_`${broken} === undefined`)
    },
    error: {
      message: ({ params: { broken } }) => _`${broken}[1]`,
      params: ({ params: { broken } }) => _`{ rule: ${broken}[0] }`,
    },
  }
}

/** By value: an int64 of a response is a bigint, and a constant a number. */
function isAmong(values: readonly unknown[]): (value: unknown) => Broken | undefined {
  const known = new Set(values.map(identityOf))
  const broken = ['enum', oneOf(values)] as const
  return (value) => (known.has(identityOf(value)) ? undefined : broken)
}

function isRepeating(items: readonly unknown[]): Broken | undefined {
  const known = new Map<unknown, number>()
  for (const [at, item] of items.entries()) {
    const identity = identityOf(item)
    const first = known.get(identity)
    if (first !== undefined)
      return ['uniqueItems', `must NOT have duplicate items (items ## ${first} and ${at} are identical)`]
    known.set(identity, at)
  }
  return undefined
}

/** A small body may have a thousand times as many. */
const MOST_ERRORS = 100

export function errorsOf({ errors }: ValidateFunction): Finding[] {
  // The schema of `then` or `else` has reported its own errors.
  const all = (errors as ErrorObject[]).filter(({ keyword }) => keyword !== 'if')
  const more = all.length - MOST_ERRORS
  const described = all.slice(0, MOST_ERRORS).map(describe)
  const [part = ''] = (all[0] as ErrorObject).instancePath.split('/').slice(1)
  return more > 0 ? [...described, { place: part, rule: 'more', message: `has ${more} more errors`, more }] : described
}

/** A validation error: the place within the value, and what it must be. */
function describe({ instancePath, keyword, params, message = '' }: ErrorObject): Finding {
  const [part, ...within] = instancePath.split('/').slice(1)
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  const place = [part, [...within, ...missing].join('/')].filter(Boolean).join(' ')
  const finding = (text: string) => ({ place, rule: params.rule ?? keyword, message: text })
  if (keyword === 'required') return finding('is required')
  if (keyword === 'additionalProperties') return finding(`must not have the property "${params.additionalProperty}"`)
  return finding(message)
}
