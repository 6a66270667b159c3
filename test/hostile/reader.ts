// A strict parser of responses (RFC 9112): anything but one complete, well-formed response is a fault.

export interface Response {
  status: number
  /** By lower-case name. */
  headers: Map<string, string>
  body: Buffer
  /** Where the next response begins. */
  next: number
}

/** IsCut: the bytes end too early. */
export type Reading = { response: Response } | { fault: string; isCut: boolean }

const HEAD_LIMIT = 64 * 1024
const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e\x80-\xff]*$/
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/
/** Fields that must not be repeated. */
const singular = new Set(['content-length', 'transfer-encoding', 'content-type', 'connection', 'x-request-id', 'etag'])

export function readResponse(bytes: Buffer, offset: number, request: { method: string; continues?: boolean }): Reading {
  try {
    const head = readHead(bytes, offset)
    if (head.status >= 200) return { response: { ...head, ...readBody(bytes, head, request.method) } }
    if (head.status !== 100 || !request.continues) throw new Fault(`an interim ${head.status} that nobody asked for`)
    if (head.headers.has('content-length')) throw new Fault('an interim response with a content-length')
    return readResponse(bytes, head.next, { method: request.method }) // one interim response at most
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { fault: error.message, isCut: error.isCut }
  }
}

class Fault extends Error {
  readonly isCut: boolean

  constructor(message: string, isCut = false) {
    super(message)
    this.isCut = isCut
  }
}

function readHead(bytes: Buffer, offset: number) {
  const end = bytes.indexOf('\r\n\r\n', offset)
  if (end === -1) throw new Fault('the head of a response does not end', bytes.length - offset < HEAD_LIMIT)
  const [first = '', ...lines] = bytes.toString('latin1', offset, end).split('\r\n')
  const [, status] = statusLine.exec(first) ?? []
  if (!status) throw new Fault(`not a status line: ${JSON.stringify(first.slice(0, 80))}`)
  const headers: Map<string, string> = new Map()
  for (const line of lines) {
    const [, name = '', value = ''] = fieldLine.exec(line) ?? []
    if (!name) throw new Fault(`not a field: ${JSON.stringify(line.slice(0, 80))}`)
    const lower = name.toLowerCase()
    if (headers.has(lower) && singular.has(lower)) throw new Fault(`${lower} comes twice`)
    headers.set(lower, headers.has(lower) ? `${headers.get(lower)}, ${value.trim()}` : value.trim())
  }
  return { status: Number(status), headers, next: end + 4 }
}

function readBody(bytes: Buffer, { status, headers, next }: Omit<Response, 'body'>, method: string) {
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (length !== undefined && coding !== undefined) throw new Fault('content-length beside transfer-encoding')
  if (length !== undefined && !/^\d+$/.test(length)) throw new Fault(`content-length is "${length}"`)
  if (status === 204 && (length ?? coding) !== undefined) throw new Fault('a 204 with a length') // RFC 9110 8.6
  if (status === 304 && length === '0') throw new Fault('a 304 with content-length 0') // RFC 9110 8.6
  if (status === 204 || status === 304 || method === 'HEAD') return { body: Buffer.alloc(0), next }
  if (coding !== undefined) return readChunks(bytes, next, coding)
  if (length === undefined) throw new Fault(`a ${status} without a length`)
  const end = next + Number(length)
  if (end > bytes.length) throw new Fault(`a body of ${length} ends after ${bytes.length - next}`, true)
  return { body: bytes.subarray(next, end), next: end }
}

function readChunks(bytes: Buffer, offset: number, coding: string) {
  if (coding !== 'chunked') throw new Fault(`transfer-encoding is "${coding}"`)
  const chunks = []
  for (let at = offset; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end === -1) throw new Fault('a chunked body does not end', true)
    const text = bytes.toString('latin1', at, end)
    if (!/^[0-9a-f]{1,8}$/i.test(text)) throw new Fault(`the size of a chunk is ${JSON.stringify(text.slice(0, 80))}`)
    const size = Number.parseInt(text, 16)
    const next = end + 2 + size
    if (next + 2 > bytes.length) throw new Fault('a chunk does not end', true)
    if (bytes.toString('latin1', next, next + 2) !== '\r\n') throw new Fault('a chunk without its CRLF')
    if (size === 0) return { body: Buffer.concat(chunks), next: next + 2 }
    chunks.push(bytes.subarray(end + 2, next))
    at = next + 2
  }
}
