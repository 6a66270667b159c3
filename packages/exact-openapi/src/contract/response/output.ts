// Sends what a handler returns. With `checkResponses`, checks it against the document first.
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { stringify } from 'lossless-json'
import { describing, isJson } from '../../media-types.ts'
import { anything, type Media, type Operation, type Response } from '../../model/index.ts'
import type { Check, Compile } from '../checks/compiler.ts'
import type { CheckKind } from '../checks/translate.ts'
import { textOf } from '../errors.ts'
import { parseExact } from '../json.ts'
import { readerOf } from '../request/parameters.ts'
import { typesOf } from '../request/types.ts'
import { scalarReader } from '../request/values.ts'
import { describedItem, isEventStream, isItems, streamOf } from './items.ts'

/** Sends some bodies in place of Fastify. */
export interface Sender {
  /** @param body undefined for a response without one */
  accepts(body: unknown): boolean
  /** What is sent, for the check of responses; not called for undefined. */
  jsonText?(body: never): string
  /** With the status and the headers that the reply has. */
  send(reply: FastifyReply, body: never): unknown
}

/** `type` is the media type of the body; without one, it is JSON. Bodies that are not JSON are text, bytes or a stream. */
export interface Output {
  status: number
  type?: string
  body?: unknown
  /** Several of `set-cookie` are a list. */
  headers?: Readonly<Record<string, string | readonly string[]>>
}

const JSON_TYPE = 'application/json'

/** @returns what the sender does, which may be a promise */
export function respond(reply: FastifyReply, output: Output, senders: readonly Sender[]): unknown {
  const { status, type = JSON_TYPE, body, headers } = output
  reply.code(status)
  if (headers) reply.headers(headers as Record<string, string | string[]>)
  const sender = senders.find((one) => one.accepts(body))
  if (sender) return sender.send(reply, body as never)
  if (body === undefined) return reply.send()
  if (isJson(type)) return sendJson(reply, type, String(stringify(body)))
  // HTML, "Server-sent events": a client takes the connection for open once it has the head.
  if (isEventStream(type)) reply.raw.once('pipe', () => reply.raw.flushHeaders())
  return reply.header('content-type', withCharset(type)).send(isItems(type, body) ? streamOf(type, body) : body)
}

/** Without a serializer, Fastify adds a charset, which JSON does not have (RFC 8259, section 11). */
function sendJson(reply: FastifyReply, type: string, json: string) {
  const asIs = (text: string) => {
    reply.serializer(null as never) // an error in a later hook is the app's to serialize
    return text
  }
  return reply.header('content-type', type).serializer(asIs).send(json)
}

const withCharset = (type: string) => (/^text\/[^;]+$/.test(type) ? `${type}; charset=utf-8` : type)

/** What describes a status: itself, else its range, else the default. */
export function ofStatus<Found>(status: number, find: (key: string) => Found | undefined): Found | undefined {
  return find(`${status}`) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default')
}

type CompileFor = (kind: CheckKind) => Compile

/** Reports an error that says where a response differs from the document. @returns what to send: its items are checked, too */
export type OutputCheck = (output: Output, report: (error: Error) => void) => Output

/** @throws if a response's schema has a feature that is not implemented */
export function checkOf({ id, responses }: Operation, compile: CompileFor, senders: readonly Sender[]): OutputCheck {
  const checks = new Map(
    responses.map((response) => [
      response.status,
      { media: response.media.map((one) => checksOf(one, compile)), headers: headerCheck(response, compile) },
    ]),
  )

  function problemsOf({ type = JSON_TYPE, body, headers = {} }: Output, described: StatusChecks): string[] {
    const { media } = described
    const problems = described.headers(headers)
    if (body === undefined) return media.length > 0 ? ['body is required', ...problems] : problems
    const check = describing(media, type)
    if (!check) return [media.length === 0 ? 'must not have a body' : `${type} is not one of its media types`]
    if (!isJson(type) && !(check.readText && typeof body === 'string')) return problems
    const text = senders.find((sender) => sender.accepts(body))?.jsonText?.(body as never)
    const read = isJson(type) ? parseExact : check.readText
    const sent = text ?? (isJson(type) ? undefined : (body as string))
    const errors = sent === undefined ? check.value({ body: asSent(body) }) : check.text({ body: read?.(sent) })
    return [...errors.map(textOf), ...problems]
  }

  return (output, report) => {
    const { status, type = JSON_TYPE, body } = output
    const described = ofStatus(status, (key) => checks.get(key))
    if (!described) {
      report(new Error(`${id} returned ${status}, which the document does not list`))
      return output
    }
    const tell = (problems: readonly string[]) => {
      if (problems.length > 0) report(new Error(`${id} returned ${status}: ${problems.join('; ')}`))
    }
    tell(problemsOf(output, described))
    const check = describing(described.media, type)
    if (!check || !isItems(type, body)) return output
    return {
      ...output,
      body: tapped(body, (item) => tell(check.item({ item: describedItem(type, item) }).map(textOf))),
    }
  }
}

async function* tapped<Item>(items: AsyncIterable<Item>, look: (item: Item) => void): AsyncIterable<Item> {
  for await (const item of items) {
    look(item)
    yield item
  }
}

interface StatusChecks {
  media: readonly ReturnType<typeof checksOf>[]
  headers: ReturnType<typeof headerCheck>
}

function checksOf({ type, schema, itemSchema = anything }: Media, compile: CompileFor) {
  const types = typesOf(schema)
  const isText = types.length > 0 && schema?.format !== 'binary' && !types.some((one) => /^(array|object)$/.test(one))
  const readText = isText ? scalarReader(types) : undefined
  const isChecked = schema !== undefined && (isJson(type) || type.includes('*') || isText)
  const properties = isChecked ? { body: schema } : {}
  const text: Check = (value) => compile('response text')(properties)(value)
  return {
    type,
    value: compile('response')(properties),
    text,
    readText,
    item: compile('response')({ item: itemSchema }),
  }
}

/** What JSON keeps of a value. */
function asSent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return asSent(value.toJSON())
  if (Array.isArray(value)) return value.map((item) => asSent(item ?? null))
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(entries.map(([name, field]) => [name, asSent(field)]))
}

/** Checks the headers that a handler returns: plugins may add others later. */
function headerCheck({ headers }: Response, compile: CompileFor) {
  const described = headers.map((header) => {
    const name = header.name.toLowerCase()
    const check = compile('response text')({ [name]: header.schema ?? anything })
    const read = readerOf({ ...header, in: 'header', allowEmptyValue: false }, '', name, compile('response text'))
    const problemsOf = (text: string): string[] => {
      try {
        return check({ [name]: read({ [name]: text }) }).map(textOf)
      } catch (error) {
        return [`${name}: ${(error as Error).message}`]
      }
    }
    return [name, problemsOf] as const
  })
  const byName = new Map(described)
  return (given: NonNullable<Output['headers']>): string[] =>
    Object.entries(given).flatMap(([name, value]) => {
      const lines = [value].flat().map(String)
      const texts = name.toLowerCase() === 'set-cookie' ? lines : [lines.join(', ')] // RFC 9110, section 5.3
      return texts.flatMap((text) => byName.get(name.toLowerCase())?.(text) ?? []).map((text) => `header ${text}`)
    })
}

/** What a response lacks is known at the end, as plugins add headers. @returns undefined if no header is required */
export function requiredHeaders(
  { id, responses }: Operation,
  reporterOf: (request: FastifyRequest) => (error: Error) => void,
): onSendHookHandler | undefined {
  const required = new Map(
    responses.map(({ status, headers }) => {
      const names = headers.filter((header) => header.required).map(({ name }) => name)
      return [status, names.filter((name) => name.toLowerCase() !== 'content-type')] // which OpenAPI ignores
    }),
  )
  if (![...required.values()].some((names) => names.length > 0)) return undefined
  return (request, reply, _payload, done) => {
    const { output, statusCode: status } = reply
    const names = output?.status === status ? (ofStatus(status, (key) => required.get(key)) ?? []) : []
    const missing = names.filter((name) => !reply.hasHeader(name))
    try {
      if (missing.length > 0)
        reporterOf(request)(new Error(`${id} returned ${status}: header ${missing.join(', ')} is required`))
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}
