import t from 'tap'
import { judge } from './judge.ts'

type Script = Parameters<typeof judge>[0]
type Expected = Script['responses'][number]
type Ended = Parameters<typeof judge>[1]['ended']

const list: Expected = { method: 'GET', statuses: [200], closes: 'never', id: 'a' }
const cancel: Expected = { method: 'DELETE', statuses: [204, 404], closes: 'never', id: 'b', order: 7n }
const rejected: Expected = { method: 'GET', statuses: [400], closes: 'must' }

const response = (status: number, fields: string, body: string) => {
  const length = status === 204 ? '' : `Content-Length: ${body.length}\r\n`
  return `HTTP/1.1 ${status} X\r\n${fields}${length}\r\n${body}`
}
const json = 'Content-Type: application/json\r\n'
const html = 'Content-Type: text/html\r\nConnection: close\r\n'
const listed = response(200, `${json}X-Request-Id: a\r\n`, '[]')
const cancelled = response(204, 'X-Request-Id: b\r\n', '')
const error = (status: number) => JSON.stringify({ code: 'invalid_request', message: 'No.', status })
const rejection = response(400, `${json}Connection: close\r\n`, error(400))

function judged(
  responses: Expected[],
  text: string,
  more: Partial<Script> = {},
  ended: Ended = 'closed',
  relaxed = false,
) {
  const script: Script = { kind: 'test', pieces: [], end: 'fin', responses, ...more }
  return judge(script, { bytes: Buffer.from(text, 'latin1'), ended }, { isRelaxed: relaxed })
}

t.test('one response to each request, in order, is correct', async (t) => {
  const verdict = judged([list, cancel, rejected], listed + cancelled + rejection, { end: 'wait' })
  t.strictSame(verdict.problems, [])
  t.strictSame(verdict.outcomes, [{ order: 7n, status: 204, code: undefined }])
})

t.test('injected faults are found', async (t) => {
  const faults: [problem: RegExp, responses: Expected[], text: string, more?: Partial<Script>, ended?: Ended][] = [
    [/bytes after the last response/, [list], `${listed}\r\n`],
    [/bytes after the last response/, [rejected, list], rejection + listed],
    [/response 2 of 2 is missing/, [list, cancel], listed],
    [/x-request-id b, not a/, [list, cancel], cancelled + listed],
    [/status 200, not 400/, [rejected], listed],
    [/keeps the connection open/, [rejected], response(400, json, error(400))],
    [/closes the connection/, [list, cancel], response(200, 'X-Request-Id: a\r\nConnection: close\r\n', '[]')],
    [/status 500/, [{ ...list, statuses: [500] }], response(500, `${json}X-Request-Id: a\r\n`, error(500))],
    [/no Error/, [rejected], response(400, `${json}Connection: close\r\n`, error(404))],
    [/no Error/, [rejected], response(400, `${json}Connection: close\r\n`, '{}')],
    [/no JSON/, [rejected], response(400, `${json}Connection: close\r\n`, 'No.')],
    [/content-type text\/html/, [rejected], response(400, html, error(400))],
    [/without allow/, [{ ...list, statuses: [405] }], response(405, `${json}X-Request-Id: a\r\n`, error(405))],
    [/spliced/, [list], response(200, `${json}X-Request-Id: a\r\n`, `[${rejection}]`)],
    [/ends after/, [list], listed.slice(0, -1)],
    [/stays open/, [list], listed, {}, 'deadline'],
    [/is reset/, [list], listed, {}, 'reset'],
  ]
  for (const [problem, responses, text, more, ended] of faults)
    t.match(judged(responses, text, more, ended).problems.join('\n'), problem, String(problem))
})

t.test('a response that is not well-formed is a fault, also before a reset', async (t) => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n'
  const malformed: [text: string, fault: RegExp][] = [
    ['{"a":1}HTTP/1.1 200 OK\r\n\r\n', /status line/],
    ['HTTP/1.1 200 OK\r\nA : b\r\n\r\n', /field/],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na', /twice/],
    [`${chunked}Content-Length: 0\r\n\r\n0\r\n\r\n`, /beside/],
    ['HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na', /content-length is/],
    ['HTTP/1.1 200 OK\r\n\r\n', /without a length/],
    ['HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', /204 with a length/],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n', /304 with content-length 0/],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', /transfer-encoding is/],
    [`${chunked}\r\nx\r\n`, /size of a chunk/],
    [`${chunked}\r\n1\r\nabc\r\n0\r\n\r\n`, /CRLF/],
    [`HTTP/1.1 200 OK\r\nA: ${'b'.repeat(70_000)}`, /does not end/],
    [`HTTP/1.1 100 Continue\r\n\r\n${listed}`, /nobody asked/],
  ]
  for (const [text, fault] of malformed)
    t.match(judged([list], text, { end: 'reset' }, 'reset').problems, [fault], text.slice(0, 60))
})

t.test('every well-formed response is read to its last byte, and one that is cut counts as missing', async (t) => {
  const id = 'X-Request-Id: a\r\n'
  const whole: [text: string, status: number, more?: Partial<Expected>][] = [
    [`HTTP/1.1 200 \r\n${id}content-length: 0\r\n\r\n`, 200],
    [`HTTP/1.1 200 OK\r\n${id}Content-Length: 99\r\n\r\n`, 200, { method: 'HEAD' }],
    [`HTTP/1.1 204 No Content\r\n${id}A: b\r\nA: c\r\n\r\n`, 204],
    [`HTTP/1.1 304 Not Modified\r\n${id}Content-Length: 7\r\n\r\n`, 304],
    [`HTTP/1.1 200 OK\r\n${id}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\nA\r\n0123456789\r\n0\r\n\r\n`, 200],
    [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n${id}\r\n`, 204, { continues: true }],
  ]
  for (const [text, status, more] of whole) {
    const expected = { ...list, ...more, statuses: [status] }
    t.strictSame(judged([expected, cancel], text + cancelled).problems, [], text)
    const cut = text.slice(0, more?.method || [204, 304].includes(status) ? -3 : -1)
    if (status !== 204) t.strictSame(judged([expected], cut, { end: 'reset' }, 'reset').problems, [], `${cut}, cut`)
  }
})

t.test("a client that resets may miss responses, and then the order's state is unknown", async (t) => {
  const verdict = judged([list, cancel], listed.slice(0, 20), { end: 'reset' }, 'reset')
  t.strictSame(verdict.problems, [])
  t.strictSame(verdict.outcomes, [{ order: 7n, status: 0 }])
})

t.test('a rejection may be lost to a reset only while the client is still writing', async (t) => {
  t.match(judged([rejected], '', { isLossy: true, end: 'wait' }, 'reset'), { problems: [] })
  t.match(judged([rejected], '', { end: 'wait' }, 'reset').problems, [/missing/, /reset/])
})

t.test('other ports may reject with text, and never with two responses', async (t) => {
  const text = response(421, 'Content-Type: text/plain\r\n', 'No.')
  t.strictSame(judged([list], text, {}, 'closed', true).problems, [])
  t.match(judged([list], text + text, {}, 'closed', true).problems, [/after the last/])
  t.match(judged([list], response(502, json, error(502)), {}, 'closed', true).problems, [/status 502/])
})

t.test('other ports may respond before a broken body, after which the connection closes', async (t) => {
  const early = response(404, json, error(404))
  t.strictSame(judged([rejected], early, { end: 'wait' }, 'closed', true).problems, [])
  t.strictSame(judged([{ ...cancel, closes: 'may' }, list], early, { end: 'wait' }, 'closed', true).problems, [])
  t.match(judged([cancel, list], early, { end: 'wait' }, 'closed', true).problems, [/response 2 of 2 is missing/])
  t.match(judged([rejected], early, { end: 'wait' }, 'deadline', true).problems, [/stays open/])
  t.match(judged([rejected], early + rejection, { end: 'wait' }, 'closed', true).problems, [/after the last/])
  t.match(judged([rejected], early, { end: 'wait' }, 'closed').problems, [/status 404/, /keeps the connection open/])
})
