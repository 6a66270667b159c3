// Reads the document into the tree of the reference.
import { STATUS_CODES } from 'node:http'
import type { Document, Operation, Response } from '../../spec/model/document.ts'
import { operationsOf, parametersOf, resolve } from '../../spec/model/document.ts'
import { exampleOf, fieldsOf, headersOf, schemasOf, typeOf } from './fields.ts'
import { guideOf } from './guide.ts'
import { searchTermsOf } from './search-terms.ts'

export function readReference(document: Document) {
  const { info, servers = [] } = document
  const description = info.description ?? ''
  const operations = operationsOf(document)
  const shared = sharedBy(document)
  const groups = tagsOf(document).map(({ name, description = '' }) => ({
    id: `tag-${name}`,
    name,
    description,
    operations: operations
      .filter(({ operation }) => tagOf(operation) === name)
      .map((each) => operationOf(document, each, shared)),
  }))
  return {
    title: info.title,
    version: info.version,
    summary: description.split('\n', 1).join(),
    license: info.license && { name: info.license.name, url: info.license.url },
    servers: servers.map(({ url, description = '' }) => ({ url, description })),
    ...guideOf(description),
    groups,
    /** Errors that every operation can return in the same way. */
    responses: shared.responses.map(([status, response]) =>
      responseOf(document, `responses-${status}`, status, response, shared.headers),
    ),
    headers: allHeaders(document, shared.headers),
    /** The names of those that every operation's first response has. */
    commonHeaders: shared.headers,
    schemas: schemasOf(document),
    searchTerms: searchTermsOf(document),
  }
}

/** In the document's order, then those that only operations name. */
function tagsOf(document: Document): { name: string; description?: string | undefined }[] {
  const { tags = [] } = document
  const used = operationsOf(document).map(({ operation }) => tagOf(operation))
  const others = new Set(used.filter((name) => tags.every((tag) => tag.name !== name)))
  return [...tags, ...[...others].map((name) => ({ name }))]
}

function tagOf({ tags = [] }: Operation): string {
  return tags[0] ?? 'Other'
}

type OperationEntry = ReturnType<typeof operationsOf>[number]
type ResponseEntries = readonly (readonly [status: string, response: Response])[]
interface Shared {
  responses: ResponseEntries
  headers: readonly string[]
}

/** What all operations have in common: it is documented once. */
function sharedBy(document: Document): Shared {
  const [first = [], ...others] = operationsOf(document).map(({ operation }) => responsesOf(document, operation))
  const isShared = (found: (responses: ResponseEntries) => boolean) => others.length > 0 && others.every(found)
  const textOf = ({ description, content }: Response) => JSON.stringify([description.replace(/\s+/g, ' '), content])
  return {
    responses: first.filter(
      ([status, response]) =>
        Number(status) >= 400 &&
        isShared((all) => all.some((other) => other[0] === status && textOf(other[1]) === textOf(response))),
    ),
    headers: Object.keys(first[0]?.[1].headers ?? {}).filter((name) =>
      isShared(([success]) => success !== undefined && name in (success[1].headers ?? {})),
    ),
  }
}

function operationOf(document: Document, { method, path, operation }: OperationEntry, shared: Shared) {
  const id = String(operation.operationId)
  const isShared = (status: string) => shared.responses.some(([other]) => other === status)
  return {
    id,
    method,
    path,
    summary: operation.summary ?? id,
    description: operation.description ?? '',
    badges: badgesOf(operation),
    /** For a deprecated operation, a sentence with its dates. */
    notice: noticeOf(operation),
    isTryable: operation['x-explorer-enabled'] !== false,
    parameters: fieldsOf(document, id, parametersOf(document, path, operation)),
    samples: operation['x-codeSamples'] ?? [],
    /** Without the errors that every operation can return. */
    responses: responsesOf(document, operation)
      .filter(([status]) => !isShared(status))
      .map(([status, response]) => responseOf(document, `${id}-${status}`, status, response, shared.headers)),
  }
}

function responsesOf(document: Document, { responses }: Operation): ResponseEntries {
  return Object.entries(responses).map(([status, response]) => [status, resolve<Response>(response, document)])
}

function responseOf(document: Document, id: string, status: string, response: Response, common: readonly string[]) {
  const { schema, example, examples = {} } = response.content?.['application/json'] ?? {}
  const named = Object.entries(examples).map(([name, each]) => {
    const { summary = name, value } = resolve<{ summary?: string; value?: unknown }>(each, document)
    return { name, summary, text: exampleOf(value) }
  })
  return {
    id,
    status,
    reason: STATUS_CODES[status] ?? '',
    description: response.description,
    /** Names, without the common ones. */
    headers: Object.keys(response.headers ?? {}).filter((name) => !common.includes(name)),
    type: schema && typeOf(document, schema),
    examples: example === undefined ? named : [{ name: 'example', summary: 'Example', text: exampleOf(example) }],
  }
}

/** Each once, the common ones first. */
function allHeaders(document: Document, common: readonly string[]) {
  const headers = operationsOf(document)
    .flatMap(({ operation }) => responsesOf(document, operation))
    .flatMap(([, response]) => headersOf(document, 'headers', response))
  const unique = [...new Map(headers.map((header) => [header.name, header])).values()]
  const isCommon = ({ name }: { name: string }) => common.includes(name)
  return [...unique.filter(isCommon), ...unique.filter((header) => !isCommon(header))]
}

/** Stability, deprecation and sunset, in plain words. */
function badgesOf({ deprecated, 'x-stability': stability, 'x-sunset': sunset }: Operation) {
  return [
    stability !== undefined && { kind: 'stability', text: stability },
    deprecated && { kind: 'deprecated', text: 'deprecated' },
    sunset !== undefined && { kind: 'sunset', text: `sunset ${formatDate(sunset)}` },
  ].filter((badge) => typeof badge === 'object')
}

function noticeOf({ deprecated, 'x-deprecated-since': since, 'x-sunset': sunset }: Operation) {
  if (!deprecated) return undefined
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
