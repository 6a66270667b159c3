// Which bodies of requests and responses are implemented.
import type { Media, Response, Schema } from '../../../spec/model/index.ts'
import { isForm, isJson } from '../body.ts'
import { typeOf } from '../parameters.ts'
import { type Problem, type Rule, scalars, unsupported } from './rule.ts'

export const bodyRules: readonly Rule[] = [
  {
    feature: 'request bodies',
    supported: 'JSON, forms (an object within a form is JSON), and strings of any media type, binary ones included',
    refused: 'multipart, XML, ranges of media types but `application/*+json`, `encoding`',
    problemsOf: ({ body }) => (body?.media ?? []).flatMap(bodyProblems),
  },
  {
    feature: 'responses',
    supported: 'any media type and ranges of them, each with its status; JSON is checked',
    refused: 'the keys `default` and `4XX`',
    problemsOf: ({ responses }) => responses.flatMap(responseProblems),
  },
]

function bodyProblems({ type, schema, hasEncoding }: Media): Problem[] {
  if (hasEncoding) return [unsupported(`encoding of ${type}`, 'leave it out')]
  if (isJson(type)) return []
  if (isForm(type)) return Object.entries(schema?.properties ?? {}).map(([name, one]) => fieldProblem(name, one))
  const isText = schema?.type === 'string' && !type.includes('*')
  return [!isText && unsupported(`the body ${type}`, 'write application/json, a form, or a string of one media type')]
}

function fieldProblem(name: string, schema: Schema): Problem {
  const type = typeOf(schema.type === 'array' ? schema.items : schema)
  const isRead = type === 'object' || scalars.has(String(type))
  return (
    !isRead && unsupported(`the type ${type ?? 'that the schema lacks'} of the form field ${name}`, 'write its type')
  )
}

function responseProblems({ status }: Response): Problem[] {
  return [!/^\d{3}$/.test(status) && unsupported(`the response ${status}`, 'write each status by itself')]
}
