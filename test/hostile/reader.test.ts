import t from 'tap'
import { readResponse } from './reader.ts'

const read = (text: string, method = 'GET', continues = false) =>
  readResponse(Buffer.from(text, 'latin1'), 0, { method, continues })

t.test('complete responses are read to their last byte', async (t) => {
  const whole: [text: string, method: string, status: number, body: string][] = [
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', 'GET', 200, '{}'],
    ['HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n', 'GET', 200, ''],
    ['HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n', 'HEAD', 200, ''],
    ['HTTP/1.1 204 No Content\r\nA: b\r\nA: c\r\n\r\n', 'DELETE', 204, ''],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n', 'GET', 304, ''],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nA\r\n0123456789\r\n0\r\n\r\n',
      'GET',
      200,
      'ab0123456789',
    ],
  ]
  for (const [text, method, status, body] of whole) {
    const reading = read(`${text}HTTP/1.1 200 OK`, method)
    if ('fault' in reading) throw new Error(reading.fault)
    t.strictSame([reading.response.status, String(reading.response.body)], [status, body])
    t.equal(reading.response.next, text.length)
  }
})

t.test('an interim response is sent once, and only if the client expects it', async (t) => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
  const last = 'HTTP/1.1 204 No Content\r\n\r\n'
  t.match(read(interim + last, 'DELETE', true), { response: { status: 204 } })
  t.match(read(interim + last, 'DELETE', false), { fault: /nobody asked/ })
  t.match(read(interim + interim + last, 'DELETE', true), { fault: /nobody asked/ })
  t.match(read(`HTTP/1.1 103 Early Hints\r\n\r\n${last}`, 'DELETE', true), { fault: /nobody asked/ })
})

t.test('every other response is a fault', async (t) => {
  const faults: [text: string, fault: RegExp, method?: string][] = [
    ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', /status line/],
    ['HTTP/1.1 2000 OK\r\n\r\n', /status line/],
    ['{"a":1}HTTP/1.1 200 OK\r\n\r\n', /status line/],
    ['\r\nHTTP/1.1 200 OK\r\n\r\n', /status line/],
    ['HTTP/1.1 200 OK\r\nA : b\r\n\r\n', /field/],
    ['HTTP/1.1 200 OK\r\nA: b\n c\r\n\r\n', /field/],
    ['HTTP/1.1 200 OK\r\n folded\r\n\r\n', /field/],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na', /twice/],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', /beside/],
    ['HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na', /content-length is/],
    ['HTTP/1.1 200 OK\r\n\r\n', /without a length/],
    ['HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', /204 with a length/],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n', /304 with content-length 0/],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n', /304 with content-length 0/, 'HEAD'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', /transfer-encoding is/],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n', /size of a chunk/],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n', /CRLF/],
    [`HTTP/1.1 200 OK\r\nA: ${'b'.repeat(70_000)}`, /does not end/],
  ]
  for (const [text, fault, method] of faults) t.match(read(text, method), { fault, isCut: false }, text.slice(0, 60))
})

t.test('a response that ends too early is distinguished from a wrong one', async (t) => {
  const cut = [
    'HTTP/1.1 200 OK\r\nContent-Len',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcd',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0',
  ]
  for (const text of cut) t.match(read(text), { fault: /end/, isCut: true }, text)
})
