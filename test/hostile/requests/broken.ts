// Requests with broken framing or syntax: rejected without effect, the connection closed. What follows is ignored.
import type { Variant } from './variant.ts'

const LENGTH_BODY = 'hello'
const CHUNKED_BODY = '5\r\nhello\r\n0\r\n\r\n'

const lengths = [
  ...['abc', '+5', '-1', '0x5', '5 5', '1e3', '5.0', '5;', '5,6', '5\x0b', '"5"', '\xb5', ' '],
  ...['18446744073709551616', '99999999999999999999', '-9223372036854775808'],
].map((value) => [value])
const lengthPairs = ['5 6', '6 5', '0 5', '5 0', '5 x'].map((pair) => pair.split(' '))
const codings = [
  ...['gzip', 'gzip, chunked', 'chunked, gzip', 'identity', 'xchunked', 'chunkedx', 'chunked;q=1', 'chunked, chunked'],
  ...['"chunked"', '\x0bchunked', 'chunked\x0b', 'chunked, identity', 'identity, chunked', 'chun ked', 'c', ' '],
].map((value) => `Transfer-Encoding: ${value}`)
const conflicts = [
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 5',
  'Transfer-Encoding: chunked\r\nContent-Length: 0',
  'Content-Length: 15\r\nTransfer-Encoding: CHUNKED',
  'Content-Length: 5\r\nTransfer-Encoding: gzip',
  'Content-Length: 5\r\nTransfer-Encoding: identity',
  'content-length: 5\r\ntransfer-encoding: chunked\r\nX-Between: 1',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip',
  'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked',
  ...['Transfer-Encoding : chunked', 'Transfer-Encoding\t: chunked'],
  ...['Transfer-Encoding\x0b: chunked', 'Content-Length : 5'],
]
const sizes = ['+5', '0x5', ' 5', '4', '5,5', '5;\x00', '5;a=\x01', '5\x0b', '\xb5', '5 5']
const noSizes = ['zz', '-1', 'FFFFFFFFFFFFFFFFF', '10000000000000000', '5.0\r\nhello', '"5"\r\nhello', 'g']
const trailers = ['no colon', ': no name', 'A: \x00', 'A b: c']
const ends = ['\r\n0', '5\r\nhello0', '5\r\nhelloo\r\n0', '5\rhello\r\n0', '5\r\nhello\r\n-0', '5\r\nhello\r\nzz']
const chunks = [
  ...sizes.map((size) => `${size}\r\nhello\r\n0\r\n\r\n`),
  ...noSizes.map((text) => `${text}\r\n`),
  ...trailers.map((trailer) => `0\r\n${trailer}\r\n\r\n`),
  ...ends.map((text) => `${text}\r\n\r\n`),
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
const unknownMethods = ['METHODX TARGET HTTP/1.1', 'get TARGET HTTP/1.1', 'FOO TARGET HTTP/1.1']

const chunked = { fields: 'Transfer-Encoding: chunked\r\n' }
const all: readonly (Partial<Variant> & { status?: number })[] = [
  ...[...lengths, ...lengthPairs].map((values) => ({
    fields: values.map((value) => `Content-Length: ${value}\r\n`).join(''),
    body: LENGTH_BODY,
  })),
  ...[...codings, ...conflicts].map((lines) => ({ fields: `${lines}\r\n`, body: CHUNKED_BODY })),
  { ...chunked, line: 'METHOD TARGET HTTP/1.0', body: CHUNKED_BODY },
  ...chunks.map((body) => ({ ...chunked, body })),
  ...fields.map((field) => ({ fields: `${field}\r\n` })),
  ...lines.map((line) => ({ line })),
  ...unknownMethods.map((line) => ({ line, status: 501 })),
]
export const broken: readonly Variant[] = all.map(({ status = 400, ...variant }) => ({
  ...variant,
  statuses: [status],
  closes: 'must',
}))
