// What a small request may cost: CPU in proportion to its size, and a response that does not grow with it.
import process from 'node:process'
import t from 'tap'
import { problemsOf } from '../../src/contract/problems.ts'
import { describe, int64, json, post, serve } from '../fixtures/serve.ts'

const FORM = 'application/x-www-form-urlencoded'
const integer = { type: 'integer' }
const list = (items: object, more: object = {}) => json({ type: 'array', items, ...more })
const form = { requestBody: { content: { [FORM]: { schema: { type: 'object', properties: { a: integer } } } } } }
const parameter = (place: string, schema: object = integer) => ({ parameters: [{ in: place, name: 'a', schema }] })
const counted = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at))
const jsonOf = (count: number, text: (at: number) => string) => `[${counted(count, text)}]`

interface Case {
  operation: object
  /** How many make a small request. */
  count?: number
  body?: (count: number) => string
  query?: (count: number) => string
  headers?: (count: number) => Record<string, string>
}

const listOf = (text: (at: number) => string) => (count: number) => jsonOf(count, text)
const unique = { uniqueItems: true }
const cases: Record<string, Case> = {
  'a repeated name of a form': { operation: form, body: (count) => 'a=1&'.repeat(count) },
  'an unknown name of a form': { operation: form, body: (count) => 'z&'.repeat(count) },
  'a repeated name of the query': { operation: parameter('query'), query: (count) => 'z&'.repeat(count) },
  'items of another type': { operation: list(integer), body: listOf(() => '{}') },
  'items out of bounds': { operation: list({ ...integer, minimum: 5 }), body: listOf(() => '1') },
  'unique numbers': { operation: list(integer, unique), body: listOf(String) },
  'unique int64': { operation: list(int64, unique), body: listOf(String) },
  'unique objects': { operation: list({}, unique), body: listOf((at) => `{"a":${at}}`) },
  'spaces in a cookie': {
    operation: parameter('cookie'),
    count: 400,
    headers: (count) => ({ cookie: `a=1${' '.repeat(count)}x` }),
  },
  'spaces in a media type': {
    operation: list(integer),
    count: 400,
    headers: (count) => ({ 'content-type': `application/json${' '.repeat(count)}x` }),
    body: () => '[]',
  },
}

/** The least CPU of several times, in microseconds: what else runs in the process only adds to it. */
async function cost(send: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < 3; at++) {
    const begun = process.cpuUsage()
    await send()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, user + system)
  }
  return least
}

for (const [name, { operation, count = 500, body, query, headers }] of Object.entries(cases)) {
  t.test(name, async (t) => {
    const send = await serve(t, { operations: { 'POST /a': operation }, options: { bodyLimit: 2 ** 24 } })
    const type = operation === form ? FORM : 'application/json'
    const request = (size: number) => {
      const sent = body ? post(body(size), type) : { method: 'POST' as const }
      const url = `/a${query ? `?${query(size)}` : ''}`
      return { ...sent, url, headers: { ...('headers' in sent && sent.headers), ...headers?.(size) } }
    }
    for (let at = 0; at < 5; at++) await send(request(count)) // compiled
    const small = await cost(() => send(request(count)))
    const large = await cost(() => send(request(16 * count)))
    t.ok(large < 16 * 6 * (small + 1000), `16 times the size costs ${large} instead of ${small} microseconds`)
  })
}

t.test('of many errors the first are listed, and the others counted', async (t) => {
  const problems: { errors: readonly { message: string; more?: number }[] }[] = []
  const errorOf = (problem: { message: string; errors: readonly { message: string; more?: number }[] }) => {
    problems.push(problem)
    return Object.assign(new Error(problem.message), { statusCode: 400 })
  }
  const send = await serve(t, { operations: { 'POST /a': list(integer) }, options: { errorOf } })
  const answer = await send(post(jsonOf(5000, () => '"a"')))
  t.match(answer, /^400 body 0 must be an integer .*; and 4990 more\.$/)
  const [problem] = problems
  t.equal(problem?.errors.length, 101)
  t.match(problem?.errors.at(-1), { place: 'body', rule: 'more', message: 'has 4900 more errors', more: 4900 })
})

/** What `check` says of the body of an operation. */
function costsOf(schema: object): readonly string[] {
  return problemsOf(describe({ openapi: '3.1.0', operations: { 'POST /a': { operationId: 'a', ...json(schema) } } }))
    .costs
}

t.test('check names what only the size of a request limits, a few for each operation', async (t) => {
  const text = { type: 'string', pattern: '^a' }
  const named = { type: 'object', patternProperties: { '^a': integer } }
  const properties = { texts: { type: 'array', items: text, maxItems: 9 }, named, ids: { uniqueItems: true } }
  const found = ['body/texts/* (a pattern) without maxLength', 'body/named (names) without maxProperties']
  const unique = 'body/ids (uniqueItems) without maxItems'
  t.strictSame(costsOf({ type: 'object', properties }), [`a: ${[...found, unique].join(', ')}`])
  const more = { ...properties, list: { type: 'array' } }
  t.strictSame(costsOf({ type: 'object', properties: more }), [`a: ${[...found, unique, '1 more'].join(', ')}`])
  t.strictSame(costsOf({ propertyNames: { maxLength: 5 } }), ['a: body (names) without maxProperties'])
  const inPath = { parameters: [{ in: 'path', name: 'p', required: true, schema: text }] }
  t.strictSame(problemsOf(describe({ operations: { 'GET /{p}': inPath } })).costs, [], 'the router limits them')
  t.strictSame(costsOf({ maxProperties: 5, dependentSchemas: { b: named } }), [], 'they describe the same value')
  t.strictSame(costsOf({ allOf: [{ maxLength: 5 }, { ...text }], if: { ...text, enum: ['a'] } }), [])
})
