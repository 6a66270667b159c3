// Decides on which ports routes are served: always on the API port, at the domains only if allowed.
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

interface PortFilterOptions {
  /** The routes are the API's, and served at the domains as well, but never without TLS. */
  isApiAtDomains?: boolean | undefined
}

async function portFilter(app: FastifyInstance, { isApiAtDomains = false }: PortFilterOptions) {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const socket = raw.socket as Socket & { server?: Server }
    const { server = app.server } = socket
    const isApiPort = server === app.server || portOf(server) === portOf(app.server)
    done(isApiPort || (isApiAtDomains && isSecure(socket)) ? undefined : new ApiError('not_found'))
  })
}

/** `localhost` can have two addresses, and so two servers on one port. */
function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port
}

function isSecure(socket: Socket): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}

export default fp(portFilter, { name: 'port-filter', dependencies: ['errors'] })
