import type { IncomingMessage } from 'node:http'
import { bodyFailed, bodyFailure } from './connections.ts'

/** The limit for bodies that an operation declares. */
export const MAX_BODY_BYTES = 16 * 1024
/** Bodies that nothing reads are drained up to this size, so that the connection can be reused. */
export const MAX_DISCARDED_BYTES = 1024 * 1024

/** True if the request has a body (RFC 9112, section 6). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

export class BodyTooLargeError extends Error {}

/**
 * Calls back once: with the body (empty unless it is kept), with a BodyTooLargeError, or with the reason why the body
 * did not arrive completely.
 */
export function readBody(
  request: IncomingMessage,
  { limit, isKept }: { limit: number; isKept: boolean },
  done: (error: Error | undefined, body: Buffer) => void,
): void {
  const chunks: Buffer[] = []
  let length = 0

  function finish(error?: Error) {
    request.off('data', take).off('end', finish).off(bodyFailed, finish)
    done(error, Buffer.concat(chunks))
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
}
