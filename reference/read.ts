// Reads the document into the tree of the reference.
import { STATUS_CODES } from 'node:http'
import type { Document, Operation, Parameter, Response } from '../spec/document.ts'
import { operationsOf } from '../spec/document.ts'
import { badgesOf, noticeOf } from './deprecation.ts'
import { exampleOf, fieldsOf, headersOf, schemasOf } from './fields.ts'
import { guideOf } from './guide.ts'
import { resolve } from './resolve.ts'
import type { Example, Field, Group, OperationPart, Reference, ResponsePart } from './tree.ts'
import { typeOf } from './types.ts'

export function readReference(document: Document): Reference {
  const { info, servers = [] } = document
  const description = info.description ?? ''
  const operations = operationsOf(document)
  const common = commonHeaders(document)
  const groups = tagsOf(document).map(
    ({ name, description = '' }): Group => ({
      id: `tag-${name}`,
      name,
      description,
      operations: operations
        .filter(({ operation }) => tagOf(operation) === name)
        .map((each) => operationOf(document, each, common)),
    }),
  )
  return {
    title: info.title,
    version: info.version,
    summary: description.split('\n', 1).join(),
    license: info.license && { name: info.license.name, url: info.license.url },
    servers: servers.map(({ url, description = '' }) => ({ url, description })),
    ...guideOf(description),
    groups,
    headers: common,
    schemas: schemasOf(document),
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

type Entry = ReturnType<typeof operationsOf>[number]

function operationOf(document: Document, { method, path, operation }: Entry, common: readonly Field[]): OperationPart {
  const id = String(operation.operationId)
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter).value)
  return {
    id,
    method,
    path,
    summary: operation.summary ?? id,
    description: operation.description ?? '',
    badges: badgesOf(operation),
    notice: noticeOf(operation),
    isTryable: operation['x-explorer-enabled'] !== false,
    parameters: fieldsOf(document, id, parameters),
    samples: operation['x-codeSamples'] ?? [],
    responses: responsesOf(document, operation).map(([status, response]) =>
      responseOf(document, `${id}-${status}`, status, response, common),
    ),
  }
}

function responsesOf(document: Document, { responses }: Operation): [status: string, response: Response][] {
  return Object.entries(responses).map(([status, response]) => [status, resolve<Response>(document, response).value])
}

function responseOf(
  document: Document,
  id: string,
  status: string,
  response: Response,
  common: readonly Field[],
): ResponsePart {
  const { schema, example, examples = {} } = response.content?.['application/json'] ?? {}
  const named = Object.entries(examples).map(([name, each]): Example => {
    const { summary = name, value } = resolve<{ summary?: string; value?: unknown }>(document, each).value
    return { name, summary, text: exampleOf(value) }
  })
  return {
    id,
    status,
    reason: STATUS_CODES[status] ?? '',
    description: response.description,
    headers: headersOf(document, id, response).filter(({ name }) => common.every((header) => header.name !== name)),
    type: schema && typeOf(document, schema),
    examples: example === undefined ? named : [{ name: 'example', summary: 'Example', text: exampleOf(example) }],
  }
}

/** Those that every response of every operation has. */
function commonHeaders(document: Document): Field[] {
  const [first, ...others] = operationsOf(document)
    .flatMap(({ operation }) => responsesOf(document, operation))
    .map(([, response]) => headersOf(document, 'headers', response))
  return (first ?? []).filter(({ name }) => others.every((headers) => headers.some((header) => header.name === name)))
}
