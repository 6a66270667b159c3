// Sends what a handler returns. For tests, checks it against the document first.
import type { FastifyReply } from 'fastify'
import { stringify } from 'lossless-json'
import { headerList } from '../../http/headers.ts'
import { type Document, type Operation, type Response, resolve } from '../../spec/model/document.ts'
import { parseExact } from './json.ts'
import { type Compile, describe } from './schemas.ts'

/** A body that brings its own way to be sent. `json` is what it sends, for the check. */
export interface SelfSending {
  sendTo(reply: FastifyReply): void
  json(): string
}

export type Output = { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }

const JSON_TYPE = 'application/json'
const contentType = `${JSON_TYPE}; charset=utf-8`
/** Needs no hook and no serializer. */
const withoutBody = headerList({})

export function respond(reply: FastifyReply, { status, body, headers }: Output): void {
  if (headers) reply.headers(headers)
  if (sendsItself(body)) body.sendTo(reply)
  else if (body === undefined) reply.writeHead(status, withoutBody).end()
  else reply.code(status).header('content-type', contentType).send(stringify(body))
}

/** Other bodies are JSON, which has no functions. */
const sendsItself = (body: unknown): body is SelfSending =>
  typeof (body as Partial<SelfSending> | undefined | null)?.sendTo === 'function'

/** Throws an error that says where a response differs from the document. */
export type OutputCheck = (output: Output) => void

export function checkOf(
  document: Document,
  { operationId, responses }: Operation,
  compile: Record<'received' | 'sent', Compile>,
): OutputCheck {
  const checks = new Map(
    Object.entries(responses).map(([status, response]) => {
      const media = resolve<Response>(response, document).content?.[JSON_TYPE]
      const schema = {
        type: 'object',
        properties: media ? { body: media.schema ?? {} } : {},
        required: media ? ['body'] : [],
      }
      const strict = { ...schema, additionalProperties: false }
      return [Number(status), { sent: compile.sent(strict), received: compile.received(strict) }]
    }),
  )
  return ({ status, body }) => {
    const check = checks.get(status)
    if (!check) throw new Error(`${operationId} returned ${status}, which the document does not list`)
    const isText = sendsItself(body)
    const value = isText ? { body: parseExact(body.json()) } : body === undefined ? {} : { body }
    const validate = isText ? check.received : check.sent
    if (!validate(value))
      throw new Error(`${operationId} returned ${status}: ${validate.errors?.map(describe).join('; ')}`)
  }
}
