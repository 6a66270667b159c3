// Lists and responses without a body bypass Fastify's sending, so onSend and preSerialization hooks would not run for them.
import type { FastifyInstance, RouteOptions } from 'fastify'

/** That of plugins/protocol/, whose headers `writeHead` adds as well. */
const EXPECTED = 1

/** Call when the app is ready. @throws naming the operation with such a hook */
export function rejectSendHooks(app: FastifyInstance, routes: readonly RouteOptions[]): void {
  const { onSend, preSerialization } = hooksOf(app)
  const isHooked = onSend.length > EXPECTED || preSerialization.length > 0
  // Hooks of single routes are added by onRoute hooks of other plugins.
  const hooked = routes.find((route) => isHooked || route.onSend || route.preSerialization)
  if (!hooked) return
  throw new Error(
    `${hooked.config?.operation?.operationId}: an onSend or preSerialization hook does not run for lists and for responses without a body`,
  )
}

/** All hooks of an instance, inherited ones included. Fastify has no public way to list them. */
function hooksOf(app: FastifyInstance): Record<'onSend' | 'preSerialization', readonly unknown[]> {
  const symbol = Object.getOwnPropertySymbols(app).find(({ description }) => description === 'fastify.hooks')
  return Reflect.get(app, symbol as symbol)
}
