// Serves the dashboard on the API port only, not on the ports of the domains.
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

async function local(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { server = app.server } = raw.socket as Socket & { server?: Server }
    done(portOf(server) === portOf(app.server) ? undefined : new ApiError('not_found'))
  })
}

/** `localhost` can have two addresses, and so two servers on one port. */
function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port
}

export default fp(local, { name: 'local', dependencies: ['errors'] })
