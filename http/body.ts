// Reads the body of a request to its end.
import type { IncomingMessage } from 'node:http'
import { brokenOff, reasonOf } from './connections.ts'

/** True if a body follows the head of a request (RFC 9112, section 6). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/** The largest body that is read although it is of no use: then the connection can go on. */
export const DISCARDED_LIMIT_BYTES = 1024 * 1024

export class BodyTooLargeError extends Error {}

/**
 * Calls back once: with the body, if it is kept, or with a BodyTooLargeError, or with the reason why the body
 * never arrives completely.
 */
export function readBody(
  request: IncomingMessage,
  { limit, isKept }: { limit: number; isKept: boolean },
  done: (error: Error | undefined, body: Buffer) => void,
): void {
  const chunks: Buffer[] = []
  let length = 0

  function finish(error?: Error) {
    request.off('data', take).off('end', finish).off(brokenOff, finish)
    done(error, Buffer.concat(chunks))
  }
  function take(chunk: Buffer) {
    length += chunk.length
    if (length > limit) finish(new BodyTooLargeError())
    else if (isKept) chunks.push(chunk)
  }
  const reason = reasonOf(request)
  if (reason) finish(reason)
  else if (Number(request.headers['content-length']) > limit) finish(new BodyTooLargeError())
  else request.on('data', take).on('end', finish).on(brokenOff, finish)
}
