// Sheds load: while requests wait too long for the server, further ones are rejected.
//
// They wait in two places: all until the event loop gets to them, which is limited just before the handler, and large
// responses also until they may begin. Waiting for a client does not count: for a body that has not arrived, or for a
// response to be read.
import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { requestShed, type shedReasons } from '../channels.ts'
import { detectStandingQueue } from '../codel.ts'
import { headerList } from '../headers.ts'
import type { WriteScheduler } from '../write-scheduler.ts'
import { EdgeError, type ErrorBody, noteFailure } from './errors.ts'
import { hijackWithHead } from './protocol/index.ts'

const SAMPLE_MS = 10
/** Random, so that rejected clients do not all return at the same time. */
const RETRY_AFTER_S = { min: 1, max: 3 }

type Reason = (typeof shedReasons)[number]
const reasons: Record<Reason, string> = {
  event_loop: 'requests wait too long for the event loop',
  responses: 'large responses wait too long to begin',
}
type Reject = (reply: FastifyReply, reason: Reason) => void

/** Prepared: what is rejected should cost as little as possible. */
export function rejection(errorBody: ErrorBody): Reject {
  const error = new EdgeError('unavailable', 'The server is overloaded. Try again.')
  const json = JSON.stringify(errorBody(error))
  const headers = headerList({
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
  })
  return (reply, reason) => {
    requestShed.publish(reason)
    noteFailure(reply, { code: error.code, reason: reasons[reason] })
    reply.header('retry-after', randomInt(RETRY_AFTER_S.min, RETRY_AFTER_S.max + 1))
    hijackWithHead(reply, error.statusCode, headers).end(json)
  }
}

/** Responds with 503 if a large response would wait too long to begin. @returns whether it did */
export type RejectIfLate = (reply: FastifyReply) => boolean

/** Sheds the load of the routes within an instance. @param limit in milliseconds; 0 for any time */
export function shed(
  app: FastifyInstance,
  limit: number,
  { delayOfFirst }: WriteScheduler,
  send: Reject,
): RejectIfLate {
  if (limit === 0) return () => false
  const toHandle = detectStandingQueue(limit)
  const toBegin = detectStandingQueue(limit)
  let sampleDue = performance.now() + SAMPLE_MS
  let isShedding = false

  function sample() {
    const now = performance.now()
    toHandle.record(now - sampleDue, now)
    toBegin.record(delayOfFirst(now), now)
    sampleDue = now + SAMPLE_MS
    if (!isShedding || toHandle.isStanding() || toBegin.isStanding()) return
    isShedding = false
    app.log.info('no longer overloaded')
  }

  function reject(reply: FastifyReply, reason: Reason) {
    if (!isShedding) app.log.warn(`overloaded: ${reasons[reason]}; rejecting further ones with 503`)
    isShedding = true
    send(reply, reason)
  }

  const timer = setInterval(sample, SAMPLE_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  // The event loop takes a sample before it reads requests. One that is read after the next sample was due has waited for
  // those that were read before it; the first ones are accepted whatever caused the delay.
  app.addHook('preHandler', (_request, reply, done) => {
    if (toHandle.rejects(performance.now() - sampleDue)) reject(reply, 'event_loop')
    else done()
  })
  return (reply) => {
    const isLate = toBegin.rejects(delayOfFirst(performance.now()))
    if (isLate) reject(reply, 'responses')
    return isLate
  }
}
