// The Deprecation and Sunset headers of the responses of operations with these extensions in the document.
import type { Operation } from 'exact-openapi/model'
import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify'

/**
 * Call it before the operations are registered. Other routes stay as they are.
 * @throws when an operation is registered, naming it: a date is not in ISO 8601, the sunset precedes the deprecation, or the
 *   operation has the date of its deprecation, but is not marked as deprecated
 */
export function announceDeprecation(api: FastifyInstance): void {
  api.addHook('onRoute', (route: RouteOptions) => {
    const headers = route.config?.operation && deprecationHeaders(route.config.operation)
    if (!headers || Object.keys(headers).length === 0) return
    const setHeaders: onRequestHookHandler = (_request, reply, done) => {
      reply.headers(headers)
      done()
    }
    route.onRequest = [setHeaders].concat((route.onRequest ?? []) as onRequestHookHandler[])
  })
}

/** Deprecation as defined in RFC 9745, Sunset as defined in RFC 8594. */
function deprecationHeaders(operation: Operation): Record<string, string> {
  const { id, deprecated } = operation
  const since = dateOf(operation, 'x-deprecated-since')
  const sunset = dateOf(operation, 'x-sunset')
  if (since && !deprecated) throw new Error(`${id}: x-deprecated-since needs "deprecated: true" beside it`)
  if (since && sunset && sunset < since) throw new Error(`${id}: x-sunset is before x-deprecated-since`)
  return {
    ...(since && { deprecation: `@${since.getTime() / 1000}` }),
    ...(sunset && { sunset: sunset.toUTCString() }),
  }
}

function dateOf({ id, extensions }: Operation, extension: 'x-deprecated-since' | 'x-sunset'): Date | undefined {
  const text = extensions[extension]
  if (text === undefined) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
    throw new Error(`${id}: ${extension} must be a date like '2027-12-31', in quotes, not ${text}`)
  return date
}
