// Triggers every response of the document, over sockets: HTTP clients would not send some of the requests.
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { exchange, parseAnswer } from 'test-kit/raw'
import type { AppOptions } from '../../app.ts'
import { loadDocument } from '../../spec/document.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { authorization, build } from '../fixtures/app.ts'
import { requestsOf, type TestRequest } from './requests.ts'

export interface Answer {
  operationId: string
  /** The status under which the document should declare it. */
  declared: string
  status: number
  headers: Record<string, string>
  body: string
}

type Sent = ReturnType<typeof parseAnswer>

export const requests = requestsOf(loadDocument())
/** Adds CORS headers to the responses. */
const origin = 'https://docs.example.com'
const corsOrigins = [origin]

/** One or more responses for every declared one. */
export const answers = await answersOf(requests)

/** Fails in the place of every handler, also of one that uses no store. */
function failing(error: Error): Partial<AppOptions> {
  const around = () => {
    throw error
  }
  return { observers: [{ began() {}, ended() {}, around }] }
}

async function answersOf(requests: TestRequest[]): Promise<Answer[]> {
  const rateLimits = { requests: { max: 1_000, seconds: 60 } }
  const once = { max: 1, seconds: 3600 }
  const make = (options: Partial<AppOptions> = {}) => build(t, { corsOrigins, rateLimits, ...options })
  const impatient = await make()
  const broken = await make(failing(new Error('planted')))
  const unreachable = await make(failing(new StoreUnavailableError('planted', 1)))
  const limited = await make({ rateLimits: { requests: once } })
  const afterInvalidKeys = await make({ rateLimits: { failedAuthentications: once } })
  const list = { method: 'GET', url: '/v1/store/orders' } as const
  await limited.inject({ ...list, headers: { authorization } })
  await afterInvalidKeys.inject({ ...list, headers: { authorization: 'Bearer wrong' } })
  impatient.server.on('request', ({ socket }) => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }) // as Node has it
    setImmediate(() => impatient.server.emit('clientError', late, socket))
  })
  const apps = { impatient, failing: broken, unreachable, limited, afterInvalidKeys }

  const answers: Answer[] = []
  /** An application for each operation: none finds what the examples of another have changed. */
  const usual = new Map<string, FastifyInstance>()
  for (const { operationId } of requests) usual.set(operationId, usual.get(operationId) ?? (await make()))
  for (const request of requests) {
    const { operationId, status: declared, server } = request
    const app = (server ? apps[server] : usual.get(operationId)) as FastifyInstance
    answers.push({ operationId, declared, ...(await send(app, request)) })
  }
  return answers
}

async function send(app: FastifyInstance, { method, path, headers: own, body = '' }: TestRequest): Promise<Sent> {
  const length = body && { 'Content-Length': String(Buffer.byteLength(body)) }
  const headers = { Host: 'localhost', Origin: origin, Authorization: authorization, ...length, ...own }
  const lines = Object.entries(headers)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = parseAnswer(await exchange(app, `${method} /v1${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`))
  const isZipped = answer.headers['content-encoding'] === 'gzip'
  return { ...answer, body: isZipped ? gunzipSync(Buffer.from(answer.body, 'latin1')).toString() : answer.body }
}
