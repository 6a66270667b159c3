// Sheds load: while the event loop is late, requests are rejected before any work on them begins.
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

export interface OverloadOptions {
  /** The mean delay of the event loop, in milliseconds, beyond which it is overloaded; 0 for never. */
  maxEventLoopDelay: number
  /** How often the delay is measured, in milliseconds. */
  sampleInterval?: number
  /** How long after the start nothing is rejected, in milliseconds. */
  warmUp?: number
}

/** The delay is measured anew by then. */
const RETRY_AFTER_S = 1

async function overload(app: FastifyInstance, options: OverloadOptions) {
  const { maxEventLoopDelay, sampleInterval = 1_000, warmUp = 2 * sampleInterval } = options
  if (maxEventLoopDelay === 0) return
  let isWarm = warmUp === 0
  app.addHook('onReady', async () => {
    // Until then, the delay is also that of the start, which blocks the event loop.
    setTimeout(() => {
      isWarm = true
    }, warmUp).unref()
  })
  await app.register(underPressure, {
    maxEventLoopDelay,
    sampleInterval,
    pressureHandler: async (_request, reply) => {
      if (!isWarm) return
      reply.header('retry-after', RETRY_AFTER_S)
      throw new ApiError('unavailable', 'The server is overloaded. Try again.')
    },
  })
}

export default fp(overload, { name: 'overload', dependencies: ['errors'] })
