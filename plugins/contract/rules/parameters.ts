// Which parameters are implemented.
import type { Operation, Parameter } from '../../../spec/model/index.ts'
import { typeOf } from '../parameters.ts'
import { isPartial, namesIn } from '../routes.ts'
import { type Problem, type Rule, scalars, unsupported } from './rule.ts'

const parametersIn =
  (places: readonly Parameter['in'][], problemsOf: (parameter: Parameter, label: string) => readonly Problem[]) =>
  ({ parameters }: Operation) =>
    parameters
      .filter((one) => places.includes(one.in))
      .flatMap((parameter) => problemsOf(parameter, `${parameter.in} ${parameter.name}`))

const styleOf = ({ style }: Parameter, wanted: string, label: string): Problem =>
  style !== wanted && unsupported(`style ${style} of ${label}`, `write style: ${wanted}`)

export const parameterRules: readonly Rule[] = [
  {
    feature: 'path parameters',
    supported: '`simple`, in a segment of its own or in a part of one',
    refused: '`matrix`, `label`; two that follow each other, arrays in a part of a segment; `*`',
    problemsOf: (operation) => [
      ...templateProblems(operation),
      ...undescribed(operation),
      ...parametersIn(['path'], (one, label) => [styleOf(one, 'simple', label)])(operation),
    ],
  },
  {
    feature: 'query parameters',
    supported: '`form`, with `explode` or without; reserved characters as they are or encoded',
    refused: 'other styles, `allowEmptyValue`',
    problemsOf: parametersIn(['query'], (one, label) => [
      styleOf(one, 'form', label),
      one.allowEmptyValue && unsupported(`allowEmptyValue of ${label}`, 'leave it out'),
    ]),
  },
  {
    feature: 'header parameters',
    supported: '`simple`',
    refused: 'none; `Accept`, `Content-Type` and `Authorization` are ignored, as OpenAPI says',
    problemsOf: parametersIn(['header'], (one, label) => [styleOf(one, 'simple', label)]),
  },
  {
    feature: 'cookie parameters',
    supported: '`form`, arrays without `explode`',
    refused: 'arrays with `explode`',
    problemsOf: parametersIn(['cookie'], (one, label) => [
      styleOf(one, 'form', label),
      one.explode && typeOf(one.schema) === 'array' && unsupported(`explode of ${label}`, 'write explode: false'),
    ]),
  },
  {
    feature: 'types of parameters',
    supported: 'string, boolean, integer, number, and arrays of them',
    refused: 'objects, composed schemas without one type, `content`',
    problemsOf: parametersIn(['path', 'query', 'header', 'cookie'], ({ schema }, label) => {
      if (!schema) return [unsupported(`content of ${label}`, 'write a schema')]
      const type = typeOf(schema)
      const itemType = typeOf(schema.items)
      if (type === 'array') {
        return [
          !scalars.has(String(itemType)) &&
            unsupported(`the type of the items of ${label}`, 'write string, boolean, integer or number'),
        ]
      }
      return [
        !scalars.has(String(type)) &&
          unsupported(
            `the type ${type ?? 'that the schema lacks'} of ${label}`,
            'write one parameter for each value, with a type',
          ),
      ]
    }),
  },
]

function templateProblems({ path, parameters }: Operation): Problem[] {
  const isWritten = /^\/([^{}*]|\{[^{}/]+\}(?!\{))*$/.test(path)
  const partial = parameters.find(
    (one) => one.in === 'path' && typeOf(one.schema) === 'array' && isPartial(path, one.name),
  )
  return [
    !isWritten &&
      unsupported(
        `the path template ${path}`,
        'begin with /, put text between two parameters, and leave out braces and *',
      ),
    partial !== undefined &&
      unsupported(`the array ${partial.name} in a part of a segment of ${path}`, 'give it a segment of its own'),
  ]
}

function undescribed({ path, parameters }: Operation): Problem[] {
  const described = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  return namesIn(path).map((name) => !described.includes(name) && `the parameter path ${name} is not described`)
}
