// Rejects what docs/development.md lists as refused. What concerns schemas and security is rejected where it is read.
import { defaultStyle, type Media, type Operation, type Parameter, type Response, type Schema } from '../model/index.ts'
import { isForm, isJson } from './body.ts'
import { typeOf } from './parameters.ts'
import { isPartial } from './routes.ts'

/** Something that is not supported, and what to write instead. */
type Problem = string | false

const unsupported = (what: string, instead: string): Problem => `${what} is not supported: ${instead}`

const scalars: ReadonlySet<unknown> = new Set(['string', 'boolean', 'integer', 'number'])

/** @throws with the first thing that is not supported */
export function requireSupported(operation: Operation): void {
  const { parameters, body, responses } = operation
  const problems = [
    ...pathProblems(operation),
    ...parameters.flatMap(styleProblems),
    ...parameters.map(typeProblem),
    ...(body?.media ?? []).flatMap(bodyProblems),
    ...responses.map(responseProblem),
    ...operationProblems(operation),
  ]
  const problem = problems.find((one) => one !== false)
  if (problem) throw new Error(problem)
}

function pathProblems({ path, pathNames, parameters }: Operation): Problem[] {
  const isWritten = /^\/([^{}*]|\{[^{}/]+\}(?!\{))*$/.test(path)
  const described = parameters.filter((one) => one.in === 'path')
  const partial = described.find((one) => typeOf(one.schema) === 'array' && isPartial(path, one.name))
  const names = described.map(({ name }) => name)
  return [
    !isWritten &&
      unsupported(
        `the path template ${path}`,
        'begin with /, put text between two parameters, and leave out braces and *',
      ),
    partial !== undefined &&
      unsupported(`the array ${partial.name} in a part of a segment of ${path}`, 'give it a segment of its own'),
    ...pathNames.map((name) => !names.includes(name) && `the parameter path ${name} is not described`),
  ]
}

const labelOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`

function styleProblems(parameter: Parameter): Problem[] {
  const { style, explode, allowEmptyValue, schema } = parameter
  const label = labelOf(parameter)
  const wanted = defaultStyle[parameter.in]
  const isSplit = parameter.in === 'cookie' && explode && typeOf(schema) === 'array'
  return [
    style !== wanted && unsupported(`style ${style} of ${label}`, `write style: ${wanted}`),
    parameter.in === 'query' && allowEmptyValue && unsupported(`allowEmptyValue of ${label}`, 'leave it out'),
    isSplit && unsupported(`explode of ${label}`, 'write explode: false'),
  ]
}

function typeProblem(parameter: Parameter): Problem {
  const { schema } = parameter
  const label = labelOf(parameter)
  if (!schema) return unsupported(`content of ${label}`, 'write a schema')
  const type = typeOf(schema)
  if (scalars.has(type === 'array' ? typeOf(schema.items) : type)) return false
  return type === 'array'
    ? unsupported(`the type of the items of ${label}`, 'write string, boolean, integer or number')
    : unsupported(
        `the type ${type ?? 'that the schema lacks'} of ${label}`,
        'write one parameter for each value, with a type',
      )
}

function bodyProblems({ type, schema, hasEncoding }: Media): Problem[] {
  if (hasEncoding) return [unsupported(`encoding of ${type}`, 'leave it out')]
  if (isJson(type)) return []
  if (isForm(type)) return Object.entries(schema?.properties ?? {}).map(([name, one]) => fieldProblem(name, one))
  const isText = schema?.type === 'string' && !type.includes('*')
  return [!isText && unsupported(`the body ${type}`, 'write application/json, a form, or a string of one media type')]
}

function fieldProblem(name: string, schema: Schema): Problem {
  const type = typeOf(schema.type === 'array' ? schema.items : schema)
  const isRead = type === 'object' || scalars.has(type)
  return (
    !isRead && unsupported(`the type ${type ?? 'that the schema lacks'} of the form field ${name}`, 'write its type')
  )
}

const responseProblem = ({ status }: Response): Problem =>
  !/^\d{3}$/.test(status) && unsupported(`the response ${status}`, 'write each status by itself')

const operationProblems = ({ method, path, hasCallbacks, hasServers }: Operation): Problem[] => [
  method === 'HEAD' && unsupported(`HEAD ${path}`, 'describe GET instead, which responds to HEAD as well'),
  method === 'TRACE' && unsupported(`TRACE ${path}`, 'it would send credentials back, so use another method'),
  hasCallbacks && 'callbacks are not supported: describe them in the description',
  hasServers && 'servers of an operation are not supported: write them at the top of the document',
]
