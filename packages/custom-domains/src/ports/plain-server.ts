// Serves a listener that knows nothing of these ports, such as an Express application: it gets what Node's own server
// would do for it.
import { EventEmitter } from 'node:events'
import { type RequestListener, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionError, rejectConnection } from 'http-edge'
import { bodyFailed, sendContinue } from 'http-edge/protocols'
import { withOwnMembers } from './express-over-http2.ts'

/** The statuses that Node responds with to what its parser rejects; 400 for any other error. */
const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

export function plainServer(listener: RequestListener): { routing: RequestListener; server: EventEmitter } {
  const serve = withOwnMembers(listener)
  return {
    routing(request, response) {
      // An error that nobody listens for would end the process.
      request.once(bodyFailed, (reason) => request.destroy(request.listenerCount('error') > 0 ? reason : undefined))
      sendContinue(request)
      serve(request, response)
    },
    server: new EventEmitter().on('clientError', (reason: ConnectionError, socket: Socket) =>
      rejectConnection(socket, reason, { reason, response: () => responseTo(reason) }),
    ),
  }
}

function responseTo({ code }: ConnectionError): string {
  const status = statuses[code] ?? 400
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
}
