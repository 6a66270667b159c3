// Responds to requests that Node's HTTP parser rejects.
import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { normalizeIp } from '../../addresses.ts'
import { requestRejected } from '../../channels.ts'
import { type ConnectionError, rejectConnection } from '../../connections.ts'
import { defaultHeaders } from '../../headers.ts'
import { MAX_HEADER_BYTES } from '../../server.ts'
import { type EdgeCode, EdgeError, type ErrorBody } from '../errors.ts'

const codes: Record<string, EdgeCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** @param idHeader names the header of the request id */
export function clientErrorHandler(errorBody: ErrorBody, newId: () => string, idHeader: string) {
  return function (this: FastifyInstance, error: ConnectionError, socket: Socket) {
    const problem = problemOf(error)
    const response = () => {
      const id = newId()
      const { code, statusCode: status } = problem
      const details = {
        reqId: id,
        /* c8 ignore next -- the connection may be gone */
        remoteAddress: normalizeIp(socket.remoteAddress) || null,
        method: methodOf(error),
        status,
      }
      this.log.info({ ...details, code, cause: causeOf(error) }, 'request rejected by the parser')
      requestRejected.publish(status)
      return lastResponse(status, { [idHeader]: id }, errorBody(problem))
    }
    rejectConnection(socket, error, { reason: problem, response })
  }
}

/** Node's code, or TLS, which begins with a handshake record (RFC 8446, section 5.1). */
function causeOf({ code, rawPacket }: ConnectionError): string {
  /* c8 ignore next -- the server's process covers TLS */
  return Buffer.isBuffer(rawPacket) && rawPacket[0] === 0x16 && rawPacket[1] === 0x03 ? 'TLS at a port of HTTP' : code
}

/** The method, if the rejected bytes begin with a request line. */
function methodOf({ rawPacket }: ConnectionError): string | undefined {
  return Buffer.isBuffer(rawPacket) ? /^([A-Z]{3,20}) /.exec(rawPacket.toString('latin1', 0, 21))?.[1] : undefined
}

function problemOf(error: ConnectionError): EdgeError {
  if (error.code === 'CONNECT') return new EdgeError('invalid_request', 'CONNECT is not supported.')
  if (isUriTooLong(error)) return new EdgeError('uri_too_long')
  if (isUnknownMethod(error)) return new EdgeError('not_implemented')
  return new EdgeError(codes[error.code] ?? 'invalid_request')
}

/** A request line has a space before its first colon, a header line a colon before its first space. */
function isUriTooLong({ code, rawPacket }: ConnectionError): boolean {
  if (code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(rawPacket)) return false
  const lines = rawPacket.toString('latin1').split('\r\n')
  return lines.some((line) => line.length > MAX_HEADER_BYTES && /^[A-Z-]+ /.test(line))
}

/**
 * True if a token (RFC 9110, section 5.6.2) that is not a method of Node's parser stands where a request begins, which may be
 * right behind a body. The parser also knows the methods of RTSP; it rejects those at the HTTP version.
 */
function isUnknownMethod({ code, rawPacket, bytesParsed }: ConnectionError): boolean {
  if (!Buffer.isBuffer(rawPacket) || !/^HPE_INVALID_(METHOD|CONSTANT)$/.test(code)) return false
  const accepted = rawPacket.toString('latin1', 0, bytesParsed).split(' ')
  if (code === 'HPE_INVALID_CONSTANT') return accepted.at(-1) === 'HTTP' && isUnknown(endOf(accepted.at(-3)))
  const [, rest] = /^([!#$%&'*+.^`|~\w-]*)( |$)/.exec(rawPacket.toString('latin1', bytesParsed)) ?? []
  return rest !== undefined && isUnknown(endOf(accepted.at(-1)) + rest)
}

/** What the parser has accepted of a method: the longest has 13 characters. */
const endOf = (text: string | undefined) =>
  String(text)
    .slice(-20)
    .replace(/^.*[^A-Z_-]/s, '')

const isUnknown = (method: string) => method !== '' && !METHODS.includes(method)

/** The final response on a connection. */
function lastResponse(status: number, headers: Record<string, string>, body: object): string {
  const json = JSON.stringify(body)
  const all = {
    ...headers,
    ...defaultHeaders,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${json}`
}
