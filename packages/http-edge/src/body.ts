// Reads request bodies, also those that nothing waits for: the next request of the connection follows them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionLimits } from './connection-limits.ts'
import { bodyFailed, bodyFailure, closeAfter, sendContinue } from './connections.ts'

/** Bodies that nothing reads are drained up to this size, so that the connection can be reused. */
const MAX_DISCARDED_BYTES = 1024 * 1024

/** Counts the body as incomplete until it has arrived or failed. @returns false for an address with too many of them */
export function countIncomplete(request: IncomingMessage, ip: string, limits: ConnectionLimits): boolean {
  const release = limits.hold('bodies', ip)
  if (!release) return false
  for (const event of ['end', 'close', bodyFailed]) request.once(event, release)
  return true
}

/** The body is longer than its limit: nothing more of it is read. */
export class BodyTooLargeError extends Error {}

/**
 * Called once: with the body (empty unless it is kept), with a BodyTooLargeError, or with the reason why the body did not
 * arrive completely.
 */
type BodyListener = (error: Error | undefined, body: Buffer) => void

/** Waits for the body. A client that expects a 100 gets it now. Call it once at most. */
export type WaitForBody = (done: BodyListener) => void

/**
 * Receives the body from now on. One of more bytes than the limit closes the connection after the response. Without
 * `isKept`, its bytes are dropped.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit = MAX_DISCARDED_BYTES, isKept = false }: { limit?: number; isKept?: boolean } = {},
): WaitForBody {
  const chunks: Buffer[] = []
  let length = 0
  let outcome: { error: Error | undefined } | undefined
  let listener: BodyListener | undefined

  function finish(error?: Error) {
    request.off('data', take).off('end', finish).off(bodyFailed, finish)
    outcome = { error }
    if (error instanceof BodyTooLargeError) closeAfter(response)
    listener?.(error, Buffer.concat(chunks))
  }
  function take(chunk: Buffer) {
    length += chunk.length
    if (length > limit) finish(new BodyTooLargeError())
    else if (isKept) chunks.push(chunk)
  }
  const failure = bodyFailure(request)
  if (failure) finish(failure)
  else if (Number(request.headers['content-length']) > limit) finish(new BodyTooLargeError())
  else request.on('data', take).on('end', finish).on(bodyFailed, finish)

  return (done) => {
    if (outcome) return done(outcome.error, Buffer.concat(chunks))
    listener = done
    sendContinue(request)
  }
}
