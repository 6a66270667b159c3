// The Deprecation and Sunset headers of the responses of operations with these extensions in the document.
import type { onRequestHookHandler } from 'fastify'
import type { Operation } from '../../model/index.ts'

/** None for an operation without these extensions. @throws as `deprecationHeaders` does */
export function deprecationHook(operation: Operation): onRequestHookHandler[] {
  const headers = deprecationHeaders(operation)
  if (Object.keys(headers).length === 0) return []
  return [
    (_request, reply, done) => {
      reply.headers(headers)
      done()
    },
  ]
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
    throw new Error(`x-deprecated-since needs "deprecated: true" beside it`)
  }
  if (since && sunset && sunset < since) {
    throw new Error(`x-sunset is before x-deprecated-since`)
  }
  if (since) headers.deprecation = `@${since.getTime() / 1000}`
  if (sunset) headers.sunset = sunset.toUTCString()
  return headers
}

function dateOf(operation: Operation, mark: 'x-deprecated-since' | 'x-sunset'): Date | undefined {
  const text = operation.extensions[mark]
  if (text === undefined) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) {
    throw new Error(`${mark} must be a date like '2027-12-31', in quotes, not ${text}`)
  }
  return date
}
