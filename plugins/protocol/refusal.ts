// The response to input that never became a request, as bytes.
import { STATUS_CODES } from 'node:http'
import type { ConnectionError } from '../../http/connections.ts'
import { standardHeaders } from '../../http/headers.ts'
import { HEADER_LIMIT_BYTES } from '../../http/server.ts'
import { ApiError, type ErrorCode, refusal } from '../../spec/errors.ts'

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function codeOf(error: ConnectionError): ErrorCode {
  return isUriTooLong(error) ? 'uri_too_long' : (codes[error.code] ?? 'invalid_request')
}

/** A request line has a space before any colon, a header line a colon before any space. */
function isUriTooLong({ code, rawPacket }: ConnectionError): boolean {
  if (code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(rawPacket)) return false
  const lines = rawPacket.toString('latin1').split('\r\n')
  return lines.some((line) => line.length > HEADER_LIMIT_BYTES && /^[A-Z-]+ /.test(line))
}

export function reasonOf(error: ConnectionError): ApiError {
  return new ApiError(codeOf(error), error.code === 'CONNECT' ? 'CONNECT is not served here.' : undefined)
}

/** The final response on a connection. */
export function answerOf(id: string, { code, message }: ApiError): string {
  const { status, body } = refusal(code, message)
  const json = JSON.stringify(body)
  const headers = {
    ...standardHeaders(id),
    date: new Date().toUTCString(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${json}`
}
