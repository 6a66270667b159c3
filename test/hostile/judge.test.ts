import t from 'tap'
import { judge } from './judge.js'

type Script = Parameters<typeof judge>[0]
type Expected = Script['answers'][number]
type Ended = Parameters<typeof judge>[1]['ended']

const list: Expected = { method: 'GET', statuses: [200], closes: 'never', id: 'a' }
const cancel: Expected = { method: 'DELETE', statuses: [204, 404], closes: 'never', id: 'b', order: 7n }
const refused: Expected = { method: 'GET', statuses: [400], closes: 'must' }

const answer = (status: number, fields: string, body: string) => {
  const length = status === 204 ? '' : `Content-Length: ${body.length}\r\n`
  return `HTTP/1.1 ${status} X\r\n${fields}${length}\r\n${body}`
}
const json = 'Content-Type: application/json\r\n'
const listed = answer(200, `${json}X-Request-Id: a\r\n`, '[]')
const cancelled = answer(204, 'X-Request-Id: b\r\n', '')
const error = (status: number) => JSON.stringify({ code: 'invalid_request', message: 'No.', status })
const refusal = answer(400, `${json}Connection: close\r\n`, error(400))

const judged = (
  answers: Expected[],
  text: string,
  more: Partial<Script> = {},
  ended: Ended = 'closed',
  isRelaxed = false,
) => {
  const script: Script = { kind: 'test', pieces: [], end: 'fin', touches: [], answers, ...more }
  return judge(script, { bytes: Buffer.from(text, 'latin1'), ended }, { isRelaxed })
}

t.test('one answer to each request, in order, is right', async (t) => {
  const verdict = judged([list, cancel, refused], listed + cancelled + refusal, { end: 'wait' })
  t.strictSame(verdict.problems, [])
  t.strictSame(verdict.outcomes, [{ order: 7n, status: 204, code: undefined }])
  t.equal(verdict.answers, 3)
})

t.test('planted faults are found', async (t) => {
  const faults: [problem: RegExp, answers: Expected[], text: string, more?: Partial<Script>, ended?: Ended][] = [
    [/bytes after the last answer/, [list], listed + listed],
    [/bytes after the last answer/, [refused], refusal + listed],
    [/bytes after the last answer/, [list], `${listed}\r\n`],
    [/bytes after the last answer/, [refused, list], refusal + listed],
    [/answer 2 of 2 is missing/, [list, cancel], listed],
    [/answer 1 of 1 is missing/, [list], ''],
    [/x-request-id b, not a/, [list, cancel], cancelled + listed],
    [/status 200, not 400/, [refused], listed],
    [/keeps the connection open/, [refused], answer(400, json, error(400))],
    [/closes the connection/, [list, cancel], answer(200, 'X-Request-Id: a\r\nConnection: close\r\n', '[]')],
    [/status 500/, [{ ...list, statuses: [500] }], answer(500, `${json}X-Request-Id: a\r\n`, error(500))],
    [/no Error/, [refused], answer(400, `${json}Connection: close\r\n`, error(404))],
    [/no Error/, [refused], answer(400, `${json}Connection: close\r\n`, '{}')],
    [/no JSON/, [refused], answer(400, `${json}Connection: close\r\n`, 'No.')],
    [/content-type text\/html/, [refused], answer(400, 'Content-Type: text/html\r\nConnection: close\r\n', error(400))],
    [/without allow/, [{ ...list, statuses: [405] }], answer(405, `${json}X-Request-Id: a\r\n`, error(405))],
    [/spliced/, [list], answer(200, `${json}X-Request-Id: a\r\n`, `[${refusal}]`)],
    [/ends after/, [list], listed.slice(0, -1)],
    [/stays open/, [list], listed, {}, 'deadline'],
    [/is reset/, [list], listed, {}, 'reset'],
  ]
  for (const [problem, answers, text, more, ended] of faults) {
    t.match(judged(answers, text, more, ended).problems.join('\n'), problem, String(problem))
  }
})

t.test('a client that resets may miss answers, and then the order is not known', async (t) => {
  const verdict = judged([list, cancel], listed.slice(0, 20), { end: 'reset' }, 'reset')
  t.strictSame(verdict.problems, [])
  t.strictSame(verdict.outcomes, [{ order: 7n, status: 0 }])
})

t.test('nothing behind the end of a connection counts', async (t) => {
  const closing = answer(400, `${json}Connection: close\r\n`, error(400))
  const verdict = judged([{ ...refused, closes: 'may' }, cancel], closing, { end: 'wait' })
  t.strictSame([verdict.problems, verdict.outcomes], [[], []])
})

t.test('a refusal may fall to a reset only where the client still wrote', async (t) => {
  t.match(judged([refused], '', { isLossy: true, end: 'wait' }, 'reset'), { problems: [], isLost: true })
  t.match(judged([refused], '', { end: 'wait' }, 'reset').problems, [/missing/, /reset/])
})

t.test('other ports may refuse with text, and never with two answers', async (t) => {
  const text = answer(421, 'Content-Type: text/plain\r\n', 'No.')
  t.strictSame(judged([list], text, {}, 'closed', true).problems, [])
  t.match(judged([list], text + text, {}, 'closed', true).problems, [/after the last/])
  t.match(judged([list], answer(502, json, error(502)), {}, 'closed', true).problems, [/status 502/])
})
