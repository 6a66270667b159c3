// Adds Deprecation and Sunset headers to the responses of operations with these extensions in the document.
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Operation } from '../spec/model/index.ts'

async function deprecation(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    const operation = route.config?.operation
    if (!operation) return
    const headers = deprecationHeaders(operation)
    if (Object.keys(headers).length === 0) return
    route.onRequest = [
      (_request, reply, done) => {
        reply.headers(headers)
        done()
      },
      ...(route.onRequest as onRequestHookHandler[]), // the contract's guards
    ]
  })
}

/**
 * Deprecation as defined in RFC 9745, Sunset as defined in RFC 8594.
 * @throws if a date is not an ISO 8601 date, the sunset comes before the deprecation, or an operation with the date of its
 * deprecation is not marked as deprecated
 */
function deprecationHeaders(operation: Operation): Record<string, string> {
  const headers: Record<string, string> = {}
  const since = dateOf(operation, 'x-deprecated-since')
  const sunset = dateOf(operation, 'x-sunset')
  if (since && !operation.deprecated) {
    throw new Error(`${operation.id}: x-deprecated-since needs "deprecated: true" beside it`)
  }
  if (since && sunset && sunset < since) {
    throw new Error(`${operation.id}: x-sunset is before x-deprecated-since`)
  }
  if (since) headers.deprecation = `@${since.getTime() / 1000}`
  if (sunset) headers.sunset = sunset.toUTCString()
  return headers
}

function dateOf(operation: Operation, mark: 'x-deprecated-since' | 'x-sunset'): Date | undefined {
  const text = operation[mark]
  if (text === undefined) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) {
    throw new Error(`${operation.id}: ${mark} must be a date like '2027-12-31', in quotes, not ${text}`)
  }
  return date
}

export default fp(deprecation, { name: 'deprecation' })
