// Graceful shutdown: what has arrived is served, and each response ends its connection.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { wasAborted } from '../connections.ts'
import { closeServer } from '../server.ts'

export function drain(graceMs = 5_000, shutdown?: AbortSignal) {
  let isEnding = shutdown?.aborted ?? false
  const counts = { served: 0, aborted: 0 }
  const announce = () => {
    isEnding = true
  }
  shutdown?.addEventListener('abort', announce)

  function addTo(app: FastifyInstance) {
    app.addHook('onRequest', (_request, reply, done) => {
      if (isEnding) reply.header('connection', 'close')
      done()
    })
    app.addHook('onResponse', (_request, { raw }, done) => {
      if (isEnding) counts[wasAborted(raw) ? 'aborted' : 'served']++
      done()
    })
    let hasListened = false
    app.addHook('preClose', async () => {
      announce()
      hasListened = app.server.listening
      if (hasListened) await closeServer(app.server, graceMs)
    })
    // Once all connections have ended. Of these hooks, the first to be added runs last.
    app.addHook('onClose', async () => {
      // The event loop closes sockets, which ends the requests that were cut off, at the end of the turn.
      for (let turns = 0; turns < 2; turns++) await nextTurn()
      const { served, aborted } = counts
      const text = `requests since the shutdown began: ${served} served, ${aborted || 'none'} aborted`
      if (hasListened) app.log.info(counts, text)
    })
  }

  /** `isShuttingDown` is true once the shutdown was announced or the server closes. */
  return { addTo, isShuttingDown: () => isEnding }
}
