// Sends what a handler returns. With `checkResponses`, checks it against the document first.
import type { FastifyReply } from 'fastify'
import { stringify } from 'lossless-json'
import { isJson } from '../../media-types.ts'
import { anything, type Media, type Operation, type Response } from '../../model/index.ts'
import type { Check, Compile } from '../checks/compiler.ts'
import type { CheckKind } from '../checks/translate.ts'
import { textOf } from '../errors.ts'
import { parseExact } from '../json.ts'
import { typesOf } from '../request/types.ts'
import { scalarReader } from '../request/values.ts'
import { describedItem, isItems, streamOf } from './items.ts'

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
  headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = 'application/json'

/** @returns what the sender does, which may be a promise */
export function respond(reply: FastifyReply, output: Output, senders: readonly Sender[]): unknown {
  const { status, type = JSON_TYPE, body, headers } = output
  reply.code(status)
  if (headers) reply.headers(headers)
  const sender = senders.find((one) => one.accepts(body))
  if (sender) return sender.send(reply, body as never)
  if (body === undefined) return reply.send()
  if (isJson(type)) return sendJson(reply, type, String(stringify(body)))
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
export function describing<Found>(status: number, find: (key: string) => Found | undefined): Found | undefined {
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
      { media: checksOf(response, compile), headers: headerCheck(response, compile) },
    ]),
  )

  const mediaFor = (type: string, media: ReadonlyMap<string, ReturnType<typeof checksOfMedia>>) =>
    media.get(type) ?? media.get(`${type.split('/')[0]}/*`) ?? media.get('*/*')

  function problemsOf({ type = JSON_TYPE, body, headers = {} }: Output, described: StatusChecks): string[] {
    const { media } = described
    const problems = described.headers(headers)
    if (body === undefined) return media.size > 0 ? ['body is required', ...problems] : problems
    const check = mediaFor(type, media)
    if (!check) return [media.size === 0 ? 'must not have a body' : `${type} is not one of its media types`]
    if (!isJson(type) && !(check.isText && typeof body === 'string')) return problems
    const text = senders.find((one) => one.accepts(body))?.jsonText?.(body as never)
    const errors = text === undefined ? check.value({ body }) : check.text({ body: parseExact(text) })
    return [...errors.map(textOf), ...problems]
  }

  return (output, report) => {
    const { status, type = JSON_TYPE, body } = output
    const described = describing(status, (key) => checks.get(key))
    if (!described) {
      report(new Error(`${id} returned ${status}, which the document does not list`))
      return output
    }
    const tell = (problems: readonly string[]) => {
      if (problems.length > 0) report(new Error(`${id} returned ${status}: ${problems.join('; ')}`))
    }
    tell(problemsOf(output, described))
    const check = mediaFor(type, described.media)
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
  media: ReturnType<typeof checksOf>
  headers: ReturnType<typeof headerCheck>
}

/** By media type. */
function checksOf({ media }: Response, compile: CompileFor) {
  return new Map(media.map((one) => [one.type, checksOfMedia(one, compile)] as const))
}

function checksOfMedia({ type, schema, itemSchema = anything }: Media, compile: CompileFor) {
  const isText = schema?.type === 'string' && schema.format !== 'binary'
  const isChecked = schema !== undefined && (isJson(type) || type.includes('*') || isText)
  const pointer = isChecked ? `${schema.pointer} as a response` : 'any response'
  const properties = isChecked ? { body: schema } : {}
  const whole = { pointer, type: 'object', properties } as const
  const text: Check = (value) => compile('response text')(whole)(value)
  const pointerOfItem = `${itemSchema.pointer} as an item`
  const item = compile('response')({ pointer: pointerOfItem, type: 'object', properties: { item: itemSchema } })
  return { value: compile('response')(whole), text, isText, item }
}

/** Checks the headers that a handler returns: plugins may add others later. */
function headerCheck({ headers }: Response, compile: CompileFor) {
  const described = headers.map(({ name, schema }) => {
    const properties = { [name.toLowerCase()]: schema ?? anything }
    const pointer = `${schema?.pointer} as the header ${name}`
    const whole = { pointer, type: 'object', properties } as const
    return { name: name.toLowerCase(), read: scalarReader(typesOf(schema)), check: compile('response text')(whole) }
  })
  return (given: Readonly<Record<string, string>>): string[] =>
    Object.entries(given).flatMap(([name, text]) => {
      const one = described.find((each) => each.name === name.toLowerCase())
      return one ? one.check({ [one.name]: one.read(text) }).map((finding) => `header ${textOf(finding)}`) : []
    })
}
