// When a request arrived, and when the headers of its response were sent.
import type { ServerResponse } from 'node:http'

export interface Timed extends ServerResponse {
  beganAt: number
  headersAt: number
  /** Node's, or that of whoever adds headers. */
  sendHead: ServerResponse['writeHead']
}

export function time(response: ServerResponse): void {
  const timed = response as Timed
  timed.beganAt = performance.now()
  timed.headersAt = 0
  timed.sendHead = response.writeHead
  timed.writeHead = writeHead as Timed['writeHead']
}

/** Node calls it for every response, if nobody else does. */
function writeHead(this: Timed, ...head: Parameters<ServerResponse['writeHead']>) {
  this.headersAt = performance.now()
  return this.sendHead(...head)
}
