// Sheds load: while requests wait too long for the server, further ones are rejected, after authentication and before
// the handler.
//
// Requests wait for the server in two places: all until the event loop gets to them, and large responses also until they
// may begin. Waiting for a client does not count: for a body that has not arrived, or for a response to be read.
import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { requestShed, type shedReasons } from '../http/channels.ts'
import { limitWait } from '../http/codel.ts'
import { headerList } from '../http/headers.ts'
import { waitToBegin } from '../http/turns.ts'
import { errorResponse } from '../spec/errors.ts'

export interface OverloadOptions {
  /** How long requests may wait, in milliseconds; 0 for any time. */
  maxEventLoopDelay: number
}

const SAMPLE_MS = 10
/** Random, so that rejected clients do not all return at the same time. */
const RETRY_AFTER_S = { min: 1, max: 3 }

const { status, body } = errorResponse('unavailable', 'The server is overloaded. Try again.')
const json = JSON.stringify(body)
const headers = headerList({
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(json),
})

async function overload(app: FastifyInstance, { maxEventLoopDelay }: OverloadOptions) {
  if (maxEventLoopDelay === 0) return
  const limit = limitWait(maxEventLoopDelay)
  let sampleDue = performance.now() + SAMPLE_MS

  function sample() {
    const now = performance.now()
    limit.record(Math.max(now - sampleDue, waitToBegin(now)), now)
    sampleDue = now + SAMPLE_MS
  }
  /**
   * The event loop takes a sample before it reads requests. One that is read after the next sample was due has waited for
   * those that were read before it; the first ones are accepted whatever caused the delay.
   */
  function reasonToReject(): (typeof shedReasons)[number] | undefined {
    const now = performance.now()
    if (limit.rejects(now - sampleDue)) return 'event_loop'
    return limit.rejects(waitToBegin(now)) ? 'responses' : undefined
  }

  const timer = setInterval(sample, SAMPLE_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('preValidation', (_request, reply, done) => {
    const reason = reasonToReject()
    if (!reason) return done()
    requestShed.publish(reason)
    reply.header('retry-after', randomInt(RETRY_AFTER_S.min, RETRY_AFTER_S.max + 1))
    reply.writeHead(status, headers).end(json)
  })
}

export default fp(overload, { name: 'overload', dependencies: ['protocol'] })
