// Sends what a handler returns. With CHECK_RESPONSES, and in tests, checks it against the document first.
import type { FastifyReply } from 'fastify'
import { headerList } from 'http-edge'
import { stringify } from 'lossless-json'
import type { Media, Operation, Response } from '../../spec/model/index.ts'
import { isJson } from './body.ts'
import type { Check, Compile } from './compiler.ts'
import { parseExact } from './json.ts'
import type { Direction } from './translate.ts'

/** A body that is not serialized here. */
interface Prepared {
  /** What is sent, for the check. */
  jsonText(): string
}

type PreparedClass = abstract new (...given: never[]) => Prepared
/** What sends the bodies of a class, with the status that the reply has. */
export type Senders = ReadonlyMap<PreparedClass, (reply: FastifyReply, body: never) => void>

/** `type` is the media type of the body; without one, it is JSON. Bodies that are not JSON are text, bytes or a stream. */
export interface Output {
  status: number
  type?: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = 'application/json'
/**
 * Sent at once by plugins/protocol: they need no hook and no serializer. RFC 9110, section 8.6: a 204 and a 304 have no
 * Content-Length.
 */
const withoutContent = headerList({})
const withoutBody = headerList({ 'content-length': 0 })
const hasNoContent = (status: number) => status === 204 || status === 304

export function respond(reply: FastifyReply, output: Output, senders: Senders): void {
  const { status, type = JSON_TYPE, body, headers } = output
  if (headers) reply.headers(headers)
  const send = senderOf(body, senders)
  if (send) send(reply.code(status), body as never)
  else if (body === undefined) reply.hijackWithHead(status, hasNoContent(status) ? withoutContent : withoutBody).end()
  else {
    const content = isJson(type) ? stringify(body) : body
    reply.code(status).header('content-type', withCharset(type)).send(content)
  }
}

const withCharset = (type: string) => (/^(text\/[^;]+|application\/json)$/.test(type) ? `${type}; charset=utf-8` : type)

const senderOf = (body: unknown, senders: Senders) =>
  senders.get((body as object | null | undefined)?.constructor as never)

type CompileFor = (direction: Direction) => Compile

/** Throws an error that says where a response differs from the document. */
export type OutputCheck = (output: Output) => void

/** @throws if a response's schema has a feature that is not implemented */
export function checkOf({ id, responses }: Operation, compile: CompileFor, senders: Senders): OutputCheck {
  const checks = new Map(responses.map((response) => [Number(response.status), checksOf(response, compile)]))
  return ({ status, type = JSON_TYPE, body }) => {
    const mismatch = (problem: string) => new Error(`${id} returned ${status}: ${problem}`)
    const ofStatus = checks.get(status)
    if (!ofStatus) throw new Error(`${id} returned ${status}, which the document does not list`)
    if (body === undefined) {
      if (ofStatus.size > 0) throw mismatch('body is required')
      return
    }
    const check = ofStatus.get(type) ?? ofStatus.get(`${type.split('/')[0]}/*`) ?? ofStatus.get('*/*')
    if (!check) throw mismatch(ofStatus.size === 0 ? 'must not have a body' : `${type} is not one of its media types`)
    if (!isJson(type)) return
    const errors = senderOf(body, senders)
      ? check.text({ body: parseExact((body as Prepared).jsonText()) })
      : check.value({ body })
    if (errors.length > 0) throw mismatch(errors.join('; '))
  }
}

/** By media type. */
function checksOf({ media }: Response, compile: CompileFor) {
  return new Map(media.map((one): [string, Record<'value' | 'text', Check>] => [one.type, checksOfMedia(one, compile)]))
}

function checksOfMedia({ type, schema }: Media, compile: CompileFor) {
  const isChecked = schema !== undefined && (isJson(type) || type.includes('*'))
  const pointer = isChecked ? `${schema.pointer} as a response` : 'any response'
  const properties = isChecked ? { body: schema } : {}
  const whole = { pointer, type: 'object', properties } as const
  const text: Check = (value) => compile('response text')(whole)(value)
  return { value: compile('response')(whole), text }
}
