// Sheds load: while requests would wait too long, new ones are rejected once their body has arrived, before
// authentication, validation and the handler.
//
// Requests wait in two places. Small ones wait in the kernel until the event loop gets to them, which a timer that fires
// late shows. Large responses share the event loop, which is then seldom late, but all of them take long: by Little's
// law, they take the number of pending responses over their rate of completion. That counts only while the event loop is
// never idle: otherwise it is clients that are slow, not the server.
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { traffic } from '../http/connections.ts'
import { headerList } from '../http/headers.ts'
import { errorResponse } from '../spec/errors.ts'

export interface OverloadOptions {
  /** How long requests may wait, in milliseconds; 0 for any time. */
  maxEventLoopDelay: number
  clock?: Clock
}

interface Clock {
  /** Milliseconds. */
  now(): number
  /** How long the event loop has been idle so far, in milliseconds. */
  idle(): number
  every(ms: number, sample: () => void): NodeJS.Timeout
}

const systemClock: Clock = {
  now: () => performance.now(),
  idle: () => performance.eventLoopUtilization().idle,
  every: (ms, sample) => setInterval(sample, ms).unref(),
}

const SAMPLE_MS = 50
/** This many late samples in a row mean overload; a single one can be garbage collection. */
const LATE_SAMPLES = 2
/** The completion rate is averaged over about this long. */
const RATE_MS = 1_000
/** Fewer pending responses never count as overload. */
const MIN_PENDING = 8
/** Below this idle share, the event loop counts as busy. */
const IDLE = 0.05
const RETRY_AFTER_S = '1'

const { status, body } = errorResponse('unavailable', 'The server is overloaded. Try again.')
const json = JSON.stringify(body)
const head = headerList({
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(json),
  'retry-after': RETRY_AFTER_S,
})

async function overload(app: FastifyInstance, { maxEventLoopDelay, clock = systemClock }: OverloadOptions) {
  if (maxEventLoopDelay === 0) return
  let late = 0
  let wasBusy = false
  /** Completed responses in a millisecond. */
  let rate = 0
  let rejected = 0
  const measure = () => ({ time: clock.now(), idle: clock.idle(), completed: traffic.completed - rejected })
  let last = measure()

  function sample() {
    const current = measure()
    const elapsed = current.time - last.time
    late = elapsed - SAMPLE_MS > maxEventLoopDelay ? late + 1 : 0
    wasBusy = current.idle - last.idle < IDLE * elapsed
    rate += Math.min(1, elapsed / RATE_MS) * ((current.completed - last.completed) / elapsed - rate)
    last = current
  }

  /** A missing sample counts as late. */
  const isBusy = () => wasBusy || clock.now() - last.time > 2 * SAMPLE_MS

  const isOverloaded = () =>
    late >= LATE_SAMPLES || (traffic.pending > Math.max(MIN_PENDING, maxEventLoopDelay * rate) && isBusy())

  const timer = clock.every(SAMPLE_MS, sample)
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isOverloaded()) return done()
    rejected++
    reply.writeHead(status, head).end(json)
  })
}

export default fp(overload, { name: 'overload', dependencies: ['protocol'] })
