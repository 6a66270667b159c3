// Reads the document into the tree of the reference.
import { STATUS_CODES } from 'node:http'
import { type Document, type Model, modelOf, type Operation, type Response } from 'exact-openapi'
import { ofOperation } from '../extensions.ts'
import { bodyOf, exampleOf, requestBodyOf, schemasOf } from './bodies.ts'
import { headerFields, idMaker, parameterFields } from './fields.ts'
import { guideOf } from './guide.ts'
import { pageIds } from './ids.ts'
import { groupPaths } from './paths.ts'
import { searchTermsOf } from './search-terms.ts'
import { tagOf, tagsOf } from './tags.ts'

export function readReference(document: Document) {
  const model = modelOf(document)
  const { info, servers } = model
  const { title, version, description, license } = info
  const shared = sharedBy(model)
  const paths = groupPaths(model)
  const groups = tagsOf(model).map(({ name, description = '' }) => {
    const own = model.operations.filter((one) => tagOf(one) === name)
    return {
      id: `tag-${name}`,
      name,
      description,
      /** Of the page that has the operations. */
      path: String(paths.get(name)),
      count: own.length,
      operations: own.map((one) => operationPart(one, shared)),
    }
  })
  return {
    title,
    version,
    summary: description.split('\n', 1).join(),
    license: license && { name: license.name, url: license.url },
    servers: servers.map(({ url, description = '' }) => ({ url, description })),
    ...guideOf(description, [...pageIds, ...model.operations.map(({ id }) => id)]),
    groups,
    /** Errors that every operation can return in the same way. */
    responses: shared.responses.map((response) =>
      responsePart(`responses-${response.status}`, response, shared.headers),
    ),
    headers: allHeaders(model, shared.headers),
    /** The names of those that every operation's first response has. */
    commonHeaders: shared.headers,
    schemas: schemasOf(model),
    searchTerms: searchTermsOf(model),
  }
}

interface Shared {
  responses: readonly Response[]
  headers: readonly string[]
}

/** What all operations have in common: it is documented once. */
function sharedBy({ operations }: Model): Shared {
  const [first, ...others] = operations.map(({ responses }) => responses)
  const isShared = (found: (responses: readonly Response[]) => boolean) => others.length > 0 && others.every(found)
  const textOf = ({ status, description, media }: Response) =>
    [status, description.replace(/\s+/g, ' '), ...media.map(mediaText)].join('\n')
  const hasHeader = (responses: readonly Response[], name: string) =>
    responses.slice(0, 1).some(({ headers }) => headers.some((header) => header.name === name))
  return {
    responses: (first ?? []).filter(
      (response) =>
        Number(response.status) >= 400 && isShared((all) => all.some((other) => textOf(other) === textOf(response))),
    ),
    headers: (first?.[0]?.headers ?? [])
      .map(({ name }) => name)
      .filter((name) => isShared((all) => hasHeader(all, name))),
  }
}

const mediaText = ({ type, schema, examples }: Response['media'][number]) =>
  `${type} ${schema?.pointer} ${examples.map(({ value }) => exampleOf(value)).join()}`

function operationPart(operation: Operation, shared: Shared) {
  const { id, method, path, description, parameters, body, responses } = operation
  const bodyIds = (body?.media ?? []).map((_, at) => (at === 0 ? `${id}-body` : `${id}-body-${at + 1}`))
  const isShared = ({ status }: Response) => shared.responses.some((other) => other.status === status)
  return {
    id,
    method,
    path,
    summary: operation.summary ?? id,
    description,
    badges: badgesOf(operation),
    /** For a deprecated operation, a sentence with its dates. */
    notice: noticeOf(operation),
    isTryable: ofOperation(operation)['x-explorer-enabled'] !== false,
    parameters: parameterFields(id, parameters, [...bodyIds, ...responses.map(({ status }) => `${id}-${status}`)]),
    /** What it takes; one for each media type. */
    body: body && {
      id: `${id}-body`,
      isRequired: body.required,
      description: body.description,
      formats: body.media.map((media, at) => requestBodyOf(bodyIds[at] as string, media)),
    },
    samples: (ofOperation(operation)['x-codeSamples'] ?? []).map((one) => ({ ...one, label: one.label ?? one.lang })),
    /** Without the errors that every operation can return. */
    responses: responses
      .filter((response) => !isShared(response))
      .map((response) => responsePart(`${id}-${response.status}`, response, shared.headers)),
  }
}

function responsePart(id: string, response: Response, common: readonly string[]) {
  const { status, description, headers, media } = response
  return {
    id,
    status,
    reason: STATUS_CODES[status] ?? '',
    description,
    /** Names, without the common ones. */
    headers: headers.map(({ name }) => name).filter((name) => !common.includes(name)),
    /** One for each media type. */
    formats: media.map((each, at) => bodyOf(at === 0 ? id : `${id}-${at + 1}`, each)),
  }
}

/** Each once, the common ones first. One of the same name with another description is another header. */
function allHeaders({ operations }: Model, common: readonly string[]) {
  const headers = operations
    .flatMap(({ responses }) => responses)
    .flatMap((response) => headerFields('headers', response))
  const names = [...new Set(headers.map(({ name }) => name))]
  const byText = new Map(headers.map((header) => [`${header.name} ${header.description}`, header]))
  const sorted = [...byText.values()].toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
  const idOf = idMaker()
  const unique = sorted.map((header) => ({ ...header, id: idOf('headers', header.name) }))
  const isCommon = ({ name }: { name: string }) => common.includes(name)
  return [...unique.filter(isCommon), ...unique.filter((header) => !isCommon(header))]
}

/** Stability, deprecation and sunset, in plain words. */
function badgesOf(operation: Operation) {
  const { 'x-stability': stability, 'x-sunset': sunset } = ofOperation(operation)
  return [
    stability !== undefined && { kind: 'stability', text: stability },
    operation.deprecated && { kind: 'deprecated', text: 'deprecated' },
    sunset !== undefined && { kind: 'sunset', text: `sunset ${formatDate(sunset)}` },
  ].filter((badge) => typeof badge === 'object')
}

function noticeOf(operation: Operation) {
  if (!operation.deprecated) return undefined
  const { 'x-deprecated-since': since, 'x-sunset': sunset } = ofOperation(operation)
  const dates = [
    since !== undefined && ` since ${formatDate(since)}`,
    sunset !== undefined && `; may be removed from ${formatDate(sunset)} on`,
  ]
  return `Deprecated${dates.filter((text) => text !== false).join('')}.`
}

/** `2027-12-31` as `December 31, 2027`. */
function formatDate(date: string): string {
  return new Date(date).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
}
