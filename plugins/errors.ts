// Turns everything thrown and every unknown path into an Error. Logs the causes of 5xx errors.
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { EdgeError, noteFailure } from 'http-edge/fastify'
import { ApiError, type ErrorCode, errorResponse, errors, unavailable } from '../spec/errors.ts'
import { StoreUnavailableError } from '../store/unavailable.ts'

/** Without a serializer, Fastify adds a charset, which JSON does not have (RFC 8259, section 11). */
export const asJson = (reply: FastifyReply): FastifyReply => reply.type('application/json').serializer(JSON.stringify)

async function errorsPlugin(app: FastifyInstance) {
  app.setErrorHandler((error: unknown, request, reply) => {
    const { code, message, retryAfterSeconds, reason } = apiErrorOf(error)
    noteFailure(reply, { code, reason: reason === errors[code].message ? undefined : reason })
    const { status, body } = errorResponse(code, message)
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    if (status >= 500 && !isExpected(error)) request.log.error({ err: error }, 'request failed')
    asJson(reply.code(status)).send(body)
  })
  app.setNotFoundHandler((_request, reply) => {
    const { status, body } = errorResponse('not_found')
    noteFailure(reply, { code: body.code })
    asJson(reply.code(status)).send(body)
  })
}

/** Codes for errors of Fastify and its plugins; any other 4xx is an invalid request. */
const byStatus: Record<number, ErrorCode> = {
  404: 'not_found',
  408: 'request_timeout',
  413: 'payload_too_large',
  429: 'rate_limited',
  503: 'unavailable',
}

/** True if the log need not show a stack: an unavailable store logs its outage once. */
const isExpected = (error: unknown) =>
  error instanceof ApiError || error instanceof EdgeError || error instanceof StoreUnavailableError

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof EdgeError) return new ApiError(error.code, error.message)
  if (error instanceof StoreUnavailableError) return unavailable('orders', error)
  const { statusCode = 500 } = error as Partial<FastifyError>
  return new ApiError(byStatus[statusCode] ?? (statusCode < 500 ? 'invalid_request' : 'internal_error'))
}

export default fp(errorsPlugin, { name: 'errors' })
