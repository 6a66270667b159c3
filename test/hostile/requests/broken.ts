// Requests with broken framing or syntax: rejected without effect, the connection closed. What follows is ignored.

export interface Broken {
  name: string
  /** In place of the request line; METHOD and TARGET are placeholders. */
  line?: string
  /** In addition to the usual ones. */
  fields?: string
  body?: string
  /** If not 400. */
  status?: number
}

const LENGTH_BODY = 'hello'
const CHUNKED_BODY = '5\r\nhello\r\n0\r\n\r\n'

const lengths = [
  ...['abc', '+5', '-1', '0x5', '5 5', '1e3', '5.0', '5;', '5,6', '5\x0b', '"5"', '\xb5', ' '],
  ...['18446744073709551616', '99999999999999999999', '-9223372036854775808'],
]
const codings = [
  ...['gzip', 'gzip, chunked', 'chunked, gzip', 'identity', 'xchunked', 'chunkedx', 'chunked;q=1', 'chunked, chunked'],
  ...['"chunked"', '\x0bchunked', 'chunked\x0b', 'chunked, identity', 'identity, chunked', 'chun ked', 'c', ' '],
]
const lengthPairs = ['5 6', '6 5', '0 5', '5 0', '5 x'].map((pair) => pair.split(' '))
const conflicts = [
  'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 0\r\n',
  'Content-Length: 15\r\nTransfer-Encoding: CHUNKED\r\n',
  'Content-Length: 5\r\nTransfer-Encoding: gzip\r\n',
  'Content-Length: 5\r\nTransfer-Encoding: identity\r\n',
  'content-length: 5\r\ntransfer-encoding: chunked\r\nX-Between: 1\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n',
  'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  'Transfer-Encoding\t: chunked\r\n',
  'Transfer-Encoding\x0b: chunked\r\n',
  'Content-Length : 5\r\n',
]
const sizes = ['+5', '0x5', ' 5', '4', '5,5', '5;\x00', '5;a=\x01', '5\x0b', '\xb5', '5 5']
const chunks = [
  ...sizes.map((size) => `${size}\r\nhello\r\n0\r\n\r\n`),
  ...['zz', '-1', 'FFFFFFFFFFFFFFFFF', '10000000000000000', '5.0\r\nhello', '"5"\r\nhello', 'g'].map(
    (text) => `${text}\r\n`,
  ),
  ...['no colon', ': no name', 'A: \x00', 'A b: c'].map((trailer) => `0\r\n${trailer}\r\n\r\n`),
  ...['\r\n0', '5\r\nhello0', '5\r\nhelloo\r\n0', '5\rhello\r\n0', '5\r\nhello\r\n-0', '5\r\nhello\r\nzz'].map(
    (text) => `${text}\r\n\r\n`,
  ),
  ...['5\r\nhelloXX', '5\r\nhello\rX', '0\r\n\rX'],
]
const fields = [
  ...['No colon', ': no name', 'A b: c', 'A\x00: b', 'A: \x00', 'A: \x01', 'A: b\rc', 'A: b\nc', 'A\xff: b', '"A": b'],
  ...['A : b', 'A\t: b', '(A): b', 'A;: b', 'A: b\r\n\x00', '\x7f: b', 'A\x0b: b', '\r: x'],
]
const lines = [
  ...['METHOD TARGET', 'METHOD', 'METHOD TARGET HTTP/2.0', 'METHOD TARGET HTTP/0.9', 'METHOD TARGET HTTP/1.2'],
  ...['METHOD TARGET HTTP/3.0', 'METHOD TARGET HTTP/1.', 'METHOD TARGET HTTP/11', 'METHOD TARGET http/1.1'],
  ...['METHOD TARGET HTTP/1.1x', 'METHOD TARGET HTTP 1.1', 'METHOD TARGET FTP/1.1', 'METHOD TARGET HTTP/01.1'],
  ...['METHOD TARGET x HTTP/1.1', 'METHOD  HTTP/1.1', 'METHOD\tTARGET\tHTTP/1.1', 'METHOD TARGET\x00 HTTP/1.1'],
  ...['\x00 TARGET HTTP/1.1', 'TARGET HTTP/1.1'],
  ...['METHOD v1 HTTP/1.1', 'METHOD example.com:443 HTTP/1.1', ' METHOD TARGET HTTP/1.1', 'METHOD \\v1 HTTP/1.1'],
  ...['METHOD TARGET\x0b HTTP/1.1', 'PRI * HTTP/2.0', 'HTTP/1.1 200 OK', 'METHOD TARGET\rHTTP/1.1'],
  'METHOD TARGET HTTP/-1.1',
]

const codedAs = (value: string) => `Transfer-Encoding: ${value}\r\n`
const unknownMethods = ['METHODX TARGET HTTP/1.1', 'get TARGET HTTP/1.1', 'FOO TARGET HTTP/1.1']

export const broken: readonly Broken[] = [
  ...[...lengths.map((value) => [value]), ...lengthPairs].map((values) => ({
    name: `Content-Length ${values.join(' and ')}`,
    fields: values.map((value) => `Content-Length: ${value}\r\n`).join(''),
    body: LENGTH_BODY,
  })),
  ...codings.map((value) => ({ name: `Transfer-Encoding ${value}`, fields: codedAs(value), body: CHUNKED_BODY })),
  ...conflicts.map((text) => ({ name: text.trim(), fields: text, body: CHUNKED_BODY })),
  { name: 'chunked in HTTP/1.0', line: 'METHOD TARGET HTTP/1.0', fields: codedAs('chunked'), body: CHUNKED_BODY },
  ...chunks.map((body) => ({ name: `chunks ${body}`, fields: codedAs('chunked'), body })),
  ...fields.map((field) => ({ name: `field ${field}`, fields: `${field}\r\n` })),
  ...lines.map((line) => ({ name: `line ${line}`, line })),
  ...unknownMethods.map((line) => ({ name: `line ${line}`, line, status: 501 })),
]
