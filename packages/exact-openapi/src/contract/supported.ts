// Rejects what the README lists as refused. What concerns schemas and security is rejected where it is read.

import { isForm, isJson, isMultipart } from '../media-types.ts'
import {
  anything,
  type Media,
  type Model,
  type Operation,
  type Parameter,
  partsOf,
  placeIn,
  reachable,
  type Schema,
  sameValue,
  shortened,
  tooDeepIn,
} from '../model/index.ts'
import { styledFields } from './request/forms.ts'
import { isFree } from './request/objects.ts'
import { isSplit } from './request/parameters.ts'
import { isOneOrSeveral, itemsOf, propertiesOf, typeOf, typesOf } from './request/types.ts'
import { isPartial, pathOf, unnamed } from './routes.ts'
import type { Tolerate } from './tolerate.ts'

/** Something that is not supported, and what to write instead. */
type Problem = string | false

const unsupported = (what: string, instead: string): Problem => `${what} is not supported: ${instead}`

/** @throws for schemas that cannot be compiled, or whose keywords Ajv reads otherwise */
export function requireCompilable({ operations, tracksEvaluated }: Model): void {
  const schemas = operations.flatMap(({ parameters, body, responses }) => [
    ...[...parameters, ...(body?.media ?? [])].flatMap(({ schema }) => schema ?? []),
    ...responses.flatMap(({ headers, media }) => [...headers, ...media].flatMap(({ schema }) => schema ?? [])),
  ])
  const deepest = tooDeepIn(schemas)
  if (deepest) throw new Error(`${placeFor(deepest)}: too many schemas contain each other: write fewer levels`)
  const untracked = tracksEvaluated && [...reachable(schemas, partsOf)].find(isUntracked)
  if (untracked)
    throw new Error(`${placeFor(untracked)}: unevaluatedItems beside contains, if or items of a branch: write items`)
}

const placeFor = ({ pointer }: Schema) => shortened(placeIn(pointer))

/** Ajv does not know which items match `contains` (JSON Schema 2020-12, Core, 11.2), nor those of a branch that applies. */
function isUntracked(schema: Schema): boolean {
  if (!schema.unevaluatedItems) return false
  const others = reachable(sameValue(schema), sameValue)
  const parts = [schema.contains, schema.if, ...[...others].flatMap((part) => [part.contains, part.items, part.if])]
  return parts.some((part) => part !== undefined)
}

/** @returns false for an operation that no request can reach, if that is tolerated @throws with what is not supported */
export function requireSupported(operation: Operation, model: Model, tolerate: Tolerate): boolean {
  const [problem] = unsupportedIn(operation, model)
  if (problem) throw new Error(problem)
  const isElsewhere = operation.servers !== undefined && pathOf(operation.servers) !== pathOf(model.servers)
  tolerate('other-servers', isElsewhere ? ['servers of an operation: write them at the top of the document'] : [])
  const unreachable = unreachableBy(operation)
  tolerate('unreachable-path', unreachable ? [unreachable] : [])
  return !unreachable
}

export function unsupportedIn(operation: Operation, { operations }: Model): string[] {
  const { parameters, body, method, path } = operation
  const hasGet = () => operations.some((other) => other.method === 'GET' && unnamed(other.path) === unnamed(path))
  const problems = [
    ...templateProblems(operation),
    ...parameters.flatMap(styleProblems),
    ...parameters.map((parameter) => typeProblem(parameter)),
    bodyProblem(body?.media ?? []),
    method === 'HEAD' &&
      hasGet() &&
      unsupported(`HEAD ${path} beside GET`, 'leave it out: GET responds to HEAD as well'),
    method === 'TRACE' && unsupported(`TRACE ${path}`, 'it would send credentials back, so use another method'),
  ]
  return problems.filter((problem) => problem !== false)
}

function templateProblems({ path, pathNames, parameters }: Operation): Problem[] {
  const isWritten = /^\/([^{}*]|\{[^{}/]+\}(?!\{))*$/.test(path)
  const described = parameters.filter((parameter) => parameter.in === 'path')
  const partial = described.find((parameter) => isSplit(parameter) && isPartial(path, parameter.name))
  const names = described.map(({ name }) => name)
  const twice = pathNames.find((name, at) => pathNames.indexOf(name) !== at)
  return [
    !isWritten &&
      unsupported(
        `the path template ${path}`,
        'begin with /, put text between two parameters, and leave out braces and *',
      ),
    partial !== undefined &&
      unsupported(`the array ${partial.name} in a part of a segment of ${path}`, 'give it a segment of its own'),
    twice !== undefined && unsupported(`the name ${twice} twice in ${path}`, 'give each parameter a name of its own'),
    ...pathNames.map((name) => !names.includes(name) && `the parameter path ${name} is not described`),
  ]
}

/** A path is compared after decoding, without the query and the fragment. */
function unreachableBy({ path, pathNames, parameters }: Operation): Problem {
  const texts = path.replace(/\{[^{}]*\}/g, '')
  if (/[?#]|%[\da-f]{2}/i.test(texts)) return `no request has the path ${path}: write it without ?, # and %20`
  const missing = parameters.find((parameter) => parameter.in === 'path' && !pathNames.includes(parameter.name))
  return (
    missing !== undefined && `the parameter path ${missing.name} is not in ${path}: write it there, or leave it out`
  )
}

const labelOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`

function styleProblems(parameter: Parameter): Problem[] {
  const { explode, schema } = parameter
  const label = labelOf(parameter)
  const isApart = parameter.in === 'cookie' && explode && typeOf(schema) === 'object'
  return [isApart && unsupported(`explode of ${label}`, 'write explode: false')]
}

const isScalar = (type: unknown) => type !== 'array' && type !== 'object'

function typeProblem(parameter: Parameter, label = labelOf(parameter)): Problem {
  const { schema = anything, style, type: mediaType, explode } = parameter
  if (mediaType !== undefined) return false
  const type = typeOf(schema)
  const instead = 'write string, boolean, integer or number'
  const isSeveral = isOneOrSeveral(schema)
  if (isSeveral && !(parameter.in === 'query' && style === 'form' && explode)) {
    return unsupported(`the type of ${label}, which may be one or several values,`, 'write an array')
  }
  if (type === undefined && !isSeveral && !typesOf(schema).every(isScalar)) {
    return unsupported(`the type of ${label}, which may be an object or not,`, 'write one of them')
  }
  if (style === 'deepObject' && type !== 'object') {
    return unsupported(`the style deepObject of ${label}, which is no object,`, 'write style: form')
  }
  if (type === 'array' || isSeveral) {
    return !typesOf(itemsOf(schema)).every(isScalar) && unsupported(`the type of the items of ${label}`, instead)
  }
  if (type !== 'object') return false
  if (/Delimited$/.test(style)) return unsupported(`an object as ${style} of ${label}`, 'write style: deepObject')
  const parts = Object.entries(propertiesOf(schema))
  const nested = parts.find(([, part]) => typesOf(part).includes('object'))
  return nested !== undefined && unsupported(`the object ${nested[0]} within ${label}`, 'write one level')
}

/** One media type that is read is enough: the others get 415. */
function bodyProblem(media: readonly Media[]): Problem {
  const problems = media.map(mediaProblem)
  return problems.every((problem) => problem !== false) && (problems[0] ?? false)
}

export function mediaProblem({ type, schema = anything, encoding }: Media): Problem {
  if (isForm(type)) {
    const problems = styledFields(schema, encoding).map((parameter) => {
      const label = `body ${parameter.name}`
      if (!isFree(parameter)) return typeProblem(parameter, label)
      return unsupported(`an object of any properties in ${label}`, 'name them, or write style: deepObject')
    })
    return problems.find((problem) => problem !== false) ?? false
  }
  if (isJson(type) || isMultipart(type)) return false
  if (/^multipart\//i.test(type)) return unsupported(`the body ${type}`, 'write multipart/form-data')
  const isWritten = /^text\/|xml\b/.test(type) && !isScalar(typeOf(schema))
  return isWritten && unsupported(`the body ${type}`, 'write application/json, a form, or a string')
}
