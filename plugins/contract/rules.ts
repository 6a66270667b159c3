// What of OpenAPI 3.0 is implemented: the start checks these rules, and the table in docs/development.md is made of them.
import type { Media, Operation, Parameter, Response, Schema } from '../../spec/model/index.ts'
import { isForm, isJson } from './body.ts'
import { typeOf } from './parameters.ts'

export interface Rule {
  /** The columns of the table, as Markdown. */
  feature: string
  supported: string
  refused: string
  /** What of the operation is not supported, and what to write instead. */
  problemsOf?(operation: Operation): readonly (string | false)[]
}

type Problem = string | false

const scalars = new Set(['string', 'boolean', 'integer', 'number'])
/** OpenAPI ignores header parameters with these names. */
const reserved = new Set(['accept', 'content-type', 'authorization'])

const not = (what: string, instead: string) => `${what} is not supported: ${instead}`

/** A rule about the parameters of some places. */
const parametersIn =
  (places: readonly Parameter['in'][], problemsOf: (parameter: Parameter, label: string) => readonly Problem[]) =>
  ({ parameters }: Operation) =>
    parameters
      .filter((one) => places.includes(one.in))
      .flatMap((parameter) => problemsOf(parameter, `${parameter.in} ${parameter.name}`))

const styleOf = ({ style }: Parameter, wanted: string, label: string) =>
  style !== wanted && not(`style ${style} of ${label}`, `write style: ${wanted}`)

export const rules: readonly Rule[] = [
  {
    feature: 'path parameters',
    supported: '`simple`, a whole segment each',
    refused:
      '`matrix`, `label`, parts of a segment; names with other characters than letters, digits and `_`; the path `/`',
    problemsOf: (operation) => [
      !/^(\/([^{}:*]+|\{\w+\}))+$/.test(operation.path) &&
        not(
          `the path template ${operation.path}`,
          'each parameter must be a whole segment, named by letters, digits and _',
        ),
      ...undescribed(operation),
      ...parametersIn(['path'], (one, label) => [styleOf(one, 'simple', label)])(operation),
    ],
  },
  {
    feature: 'query parameters',
    supported: '`form`, with `explode` or without',
    refused: 'other styles, `allowReserved`, `allowEmptyValue`',
    problemsOf: parametersIn(['query'], (one, label) => [
      styleOf(one, 'form', label),
      one.allowReserved && not(`allowReserved of ${label}`, 'leave it out'),
      one.allowEmptyValue && not(`allowEmptyValue of ${label}`, 'leave it out'),
    ]),
  },
  {
    feature: 'header parameters',
    supported: '`simple`',
    refused: '`Accept`, `Content-Type`, `Authorization`',
    problemsOf: parametersIn(['header'], (one, label) => [
      reserved.has(one.name.toLowerCase()) &&
        not(`the reserved name of ${label}`, 'describe it by content types or a security scheme'),
      styleOf(one, 'simple', label),
    ]),
  },
  {
    feature: 'cookie parameters',
    supported: '`form`, arrays without `explode`',
    refused: 'arrays with `explode`',
    problemsOf: parametersIn(['cookie'], (one, label) => [
      styleOf(one, 'form', label),
      one.explode && typeOf(one.schema) === 'array' && not(`explode of ${label}`, 'write explode: false'),
    ]),
  },
  {
    feature: 'types of parameters',
    supported: 'string, boolean, integer, number, and arrays of them',
    refused: 'objects, composed schemas without one type, `content`',
    problemsOf: parametersIn(['path', 'query', 'header', 'cookie'], ({ schema }, label) => {
      if (!schema) return [not(`content of ${label}`, 'write a schema')]
      const type = typeOf(schema)
      const itemType = typeOf(schema.items)
      if (type === 'array') {
        return [
          !scalars.has(String(itemType)) &&
            not(`the type of the items of ${label}`, 'write string, boolean, integer or number'),
        ]
      }
      return [
        !scalars.has(String(type)) &&
          not(
            `the type ${type ?? 'that the schema lacks'} of ${label}`,
            'write one parameter for each value, with a type',
          ),
      ]
    }),
  },
  {
    feature: 'request bodies',
    supported: 'JSON, forms (an object within a form is JSON), and strings of any media type, binary ones included',
    refused: 'multipart, XML, ranges of media types, `encoding`',
    problemsOf: ({ body }) => (body?.media ?? []).flatMap(bodyProblems),
  },
  {
    feature: 'responses',
    supported: 'any media type, each with its status; JSON is checked',
    refused: 'the keys `default` and `4XX`, ranges of media types',
    problemsOf: ({ responses }) => responses.flatMap(responseProblems),
  },
  {
    feature: '`links`, `callbacks`, `servers`',
    supported: 'links; servers of the document',
    refused: 'callbacks; servers of an operation',
    problemsOf: ({ hasCallbacks, hasServers }) => [
      hasCallbacks && 'callbacks are not supported: describe them in the description',
      hasServers && 'servers of an operation are not supported: write them at the top of the document',
    ],
  },
  {
    feature: 'security',
    supported: 'alternatives and combinations of schemes that have a guard',
    refused: 'an operation without `security`, unless the document has one',
  },
  {
    feature: 'numbers',
    supported: '`int32`, `int64`, bounds, `enum`, integral `multipleOf`',
    refused: 'other formats of numbers, fractional `multipleOf`',
  },
  {
    feature: 'formats',
    supported: 'those of ajv-formats; `byte` as in RFC 4648, `date-time` as in RFC 3339',
    refused: 'none: others only describe',
  },
  {
    feature: '`allOf`, `oneOf`, `anyOf`, `not`',
    supported: 'yes',
    refused: 'an int64 where another branch has another number',
  },
  {
    feature: '`discriminator`',
    supported: 'beside `oneOf` or `anyOf`, with `mapping` or the names of the schemas',
    refused: 'a branch without a name, or that does not allow its name',
  },
  {
    feature: '`readOnly`, `writeOnly`',
    supported: 'a `readOnly` property of a request is ignored; a handler must not return a `writeOnly` one',
    refused: 'none',
  },
  {
    feature: '`default`',
    supported: 'for missing properties and parameters, except within `oneOf`, `anyOf` and `not`',
    refused: 'a value that its schema does not allow',
  },
]

/** @throws with the first thing that is not supported */
export function requireSupported(operation: Operation): void {
  for (const { problemsOf } of rules) {
    const problem = problemsOf?.(operation).find((one) => one !== false)
    if (problem) throw new Error(problem)
  }
}

function undescribed({ path, parameters }: Operation): Problem[] {
  const described = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => String(name))
  return named.map((name) => !described.includes(name) && `the parameter path ${name} is not described`)
}

function bodyProblems({ type, schema, hasEncoding }: Media): Problem[] {
  if (hasEncoding) return [not(`encoding of ${type}`, 'leave it out')]
  if (isJson(type)) return []
  if (isForm(type)) return Object.entries(schema?.properties ?? {}).map(([name, one]) => fieldProblem(name, one))
  const isText = schema?.type === 'string' && !type.includes('*')
  return [!isText && not(`the body ${type}`, 'write application/json, a form, or a string of one media type')]
}

function fieldProblem(name: string, schema: Schema): Problem {
  const type = typeOf(schema.type === 'array' ? schema.items : schema)
  const isRead = type === 'object' || scalars.has(String(type))
  return !isRead && not(`the type ${type ?? 'that the schema lacks'} of the form field ${name}`, 'write its type')
}

function responseProblems({ status, media }: Response): Problem[] {
  return [
    !/^\d{3}$/.test(status) && not(`the response ${status}`, 'write each status by itself'),
    ...media.map(({ type }) => type.includes('*') && not(`the response ${status} as ${type}`, 'write each media type')),
  ]
}
