// An operation of the reference: also a webhook, or one of a callback.
import { STATUS_CODES } from 'node:http'
import type { Link, Model, Operation, Response } from 'exact-openapi/model'
import { ofOperation } from '../extensions.ts'
import { badgesOf, noticeOf } from './badges.ts'
import { formatsOf, requestBodyOf } from './bodies.ts'
import { type Options, ownContent } from './content.ts'
import { type Field, parameterFields } from './fields.ts'
import { accessOf, type schemesOf } from './security.ts'
import { code, link, linkText, list, paragraphs } from './texts.ts'

export interface Context extends Options {
  model: Model
  schemes: ReturnType<typeof schemesOf>
  /** By operation, the ids that were made first. */
  idOf: ReadonlyMap<Operation, string>
  /** The errors that every operation can return. */
  shared: readonly { id: string; status: string }[]
  /** Of all responses. */
  headers: readonly Field[]
  /** The names of the headers that every response has. */
  commonHeaders: readonly string[]
  /** Whether the API sends the request: it cannot be tried. */
  isSent: boolean
}

export interface OperationPart extends ReturnType<typeof partOf> {
  /** The requests that the API sends after it. */
  callbacks: readonly { name: string; operations: readonly OperationPart[] }[]
}

export function operationPart(operation: Operation, context: Context): OperationPart {
  const part = partOf(operation, context)
  const callbacks = operation.callbacks.map(({ name, operations }) => ({
    name,
    operations: operations.map((callback) => {
      const id = context.ids(`${part.id}-${name}-${callback.method.toLowerCase()}`)
      return operationPart(callback, {
        ...context,
        shared: [],
        isSent: true,
        idOf: new Map([...context.idOf, [callback, id]]),
      })
    }),
  }))
  return { ...part, callbacks }
}

function partOf(operation: Operation, context: Context) {
  const { method, path, description, parameters, body, responses, pathText, servers = [] } = operation
  const { ids, schemes, shared, isSent } = context
  const id = String(context.idOf.get(operation))
  const isShared = ({ status }: Response) => shared.some((other) => other.status === status)
  const specific = responses.filter((response) => !isShared(response))
  // What readers link to comes before parameters and fields of the same name.
  const bodyId = ids(`${id}-body`)
  const responseIds = specific.map(({ status }) => ids(`${id}-${status}`))
  return {
    id,
    /** Its name in the document. */
    operationId: operation.id,
    method,
    path,
    summary: operation.summary ?? operation.id,
    description: paragraphs(
      description,
      pathText.summary !== operation.summary ? pathText.summary : '',
      pathText.description !== description ? pathText.description : '',
      linkText(operation.externalDocs),
    ),
    badges: badgesOf(operation),
    /** For a deprecated operation, a sentence with its dates. */
    notice: noticeOf(operation),
    isTryable: !isSent && ofOperation(operation)['x-explorer-enabled'] !== false,
    /** Who may call it, and where, if not where the others are. */
    access: paragraphs(
      accessOf(operation, schemes),
      ...servers.map(({ url, description = '' }) => `Base URL: ${code(url)} ${description}`.trim()),
    ),
    parameters: parameterFields(ids, id, parameters).map((field, at) => ({
      ...field,
      content: ownContent(field.id, parameters[at]?.schema, context),
    })),
    /** What it takes; one for each media type. */
    body: body && {
      id: bodyId,
      isRequired: body.required,
      description: body.description,
      formats: formatsOf(bodyId, body.media, context, requestBodyOf),
    },
    samples: (ofOperation(operation)['x-codeSamples'] ?? []).map((codeSample) => ({
      ...codeSample,
      label: codeSample.label ?? codeSample.lang,
    })),
    /** Without the errors that every operation can return. */
    responses: specific.map((response, at) => responsePart(String(responseIds[at]), response, context)),
    /** Where each of them is described. */
    shared: shared.map(({ id: target, status }) => ({ id: ids(`${id}-${status}`), target, status })),
  }
}

export function responsePart(id: string, response: Response, context: Context) {
  const { status, description, media, links } = response
  const { commonHeaders } = context
  const headers = response.headers.map(({ name }) => name).filter((name) => !commonHeaders.includes(name))
  return {
    id,
    status,
    reason: STATUS_CODES[status] ?? '',
    description,
    /** As it begins on the wire, with the headers that have an example. */
    head: [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd(),
      ...context.headers.flatMap(({ name, examples }) => {
        const isSent = response.headers.some((header) => header.name === name)
        return isSent && examples.length > 0 ? [`${name}: ${examples[0]}`] : []
      }),
    ].join('\n'),
    /** Names, without those that every response has. */
    headers,
    headerIds: headers.map((name) => context.headers.find((header) => header.name === name)?.id),
    /** One for each media type. */
    formats: formatsOf(id, media, context),
    /** What can be called next with its values. */
    links: list(links.map((link) => nextText(link, context))),
  }
}

function nextText({ name, description = '', operationId, operationRef, ...others }: Link, { model, idOf }: Context) {
  const target = model.operations.find(
    (operation) => operation.id === operationId || operation.pointer === operationRef,
  )
  const title = target?.summary ?? operationId ?? operationRef ?? ''
  const { parameters = {}, requestBody, server } = others
  const values = Object.entries({ ...parameters, ...(requestBody !== undefined && { body: requestBody }) })
  const parts = [
    ...values.map(([key, value]) => code(`${key} = ${typeof value === 'string' ? value : JSON.stringify(value)}`)),
    ...(server ? [`at ${code(server.url)}`] : []),
  ]
  const linked = link(title, target && `#${idOf.get(target)}`)
  return `${code(name)}: ${linked}${parts.length > 0 ? ` with ${parts.join(', ')}` : ''}. ${description}`.trim()
}
