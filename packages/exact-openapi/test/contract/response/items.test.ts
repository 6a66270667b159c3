// Bodies that are sent item by item.
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { deferred } from 'test-kit/until'
import type { ExactOptions } from '../../../src/index.ts'
import { describe, int64, post, serve as serveEcho, start } from '../../fixtures/serve.ts'

/** @returns the address of `GET /a`, and what is logged */
async function serve(
  t: Test,
  type: string,
  body: () => unknown,
  media: object = {},
  checkResponses: ExactOptions<unknown>['checkResponses'] = 'throw',
) {
  const responses = { 200: { description: 'Items.', content: { [type]: media } } }
  const document = describe({ openapi: '3.2.0', operations: { 'GET /a': { operationId: 'watch', responses } } })
  const lines: string[] = []
  const handlers = { watch: async () => ({ status: 200, type, body: body() }) }
  const logger = { stream: { write: (line: string) => void lines.push(line) } }
  const app = await start(t, document, { handlers, checkResponses }, { logger })
  return { url: `${await app.listen({ host: '127.0.0.1', port: 0 })}/a`, lines }
}

async function* list(...items: unknown[]) {
  yield* items
}

t.test('items are written in the form of their media type, with exact numbers', async (t) => {
  const id = 9007199254740993n
  for (const [type, body, expected] of [
    [
      'text/event-stream',
      () => list({ event: 'sold\nout', data: { id } }, { id: '7', retry: 5, data: 'a\rb\r\nc' }, { event: 'end' }),
      `event: sold out\ndata: {"id":${id}}\n\nid: 7\nretry: 5\ndata: a\ndata: b\ndata: c\n\nevent: end\n\n`,
    ],
    ['application/jsonl', () => list({ id }, null), `{"id":${id}}\nnull\n`],
    ['application/x-ndjson', () => list(1, 'a'), '1\n"a"\n'],
    ['application/json-seq', () => list([id]), `\x1e[${id}]\n`],
    ['text/event-stream', () => Readable.from(['data: a\n\n']), 'data: a\n\n'],
    ['text/event-stream', () => 'data: b\n\n', 'data: b\n\n'],
  ] as const) {
    const response = await fetch((await serve(t, type, body)).url)
    t.equal(await response.text(), expected, type)
    t.match(response.headers.get('content-type'), type)
  }
})

t.test('items are taken as fast as they are read, and none for a client that is gone', async (t) => {
  let taken = 0
  const ended = deferred<void>()
  async function* endless() {
    try {
      for (;;) yield { data: 'x'.repeat(2 ** 16), id: String(taken++) }
    } finally {
      ended.resolve()
    }
  }
  const sent = request((await serve(t, 'text/event-stream', endless)).url).on('error', () => {})
  sent.end()
  const [response] = await once(sent, 'response')
  await once(response, 'readable')
  for (let before = -1; taken !== before; await new Promise((resolve) => setTimeout(resolve, 50))) before = taken
  t.ok(taken < 2_000, `${taken} items wait for the client`)
  sent.destroy()
  await ended.promise
  t.pass('the iterable has ended')
})

t.test('each item is checked when it is sent', async (t) => {
  const itemSchema = { type: 'object', properties: { data: { type: 'string', maxLength: 7 } }, required: ['data'] }
  const events = () => list({ data: { a: 1 } }, { event: 'empty' }, { data: 'wrongly' })
  const strict = await serve(t, 'text/event-stream', events, { itemSchema })
  await t.rejects(fetch(strict.url).then((response) => response.text()))
  const problem = 'watch returned 200: item data is required'
  t.match(strict.lines.join(''), problem)
  const logging = await serve(t, 'text/event-stream', events, { itemSchema }, 'log')
  t.match(await (await fetch(logging.url)).text(), 'data: {"a":1}\n\nevent: empty\n\ndata: wrongly\n\n')
  t.match(logging.lines.join(''), problem)
})

t.test('JSON that is received item by item is a list, and so is its schema', async (t) => {
  const whole = { maxItems: 2 }
  const content = {
    'application/jsonl': { $ref: '#/components/mediaTypes/Numbers' },
    'application/json-seq': { itemSchema: int64, schema: whole },
    'application/x-ndjson': { schema: { type: 'string' } },
  }
  const components = { mediaTypes: { Numbers: { itemSchema: int64 } } }
  const operations = { 'POST /a': { requestBody: { content } } }
  const send = await serveEcho(t, { openapi: '3.2.0', operations, components })
  for (const [payload, type, received] of [
    ['9007199254740993\r\n5', 'application/jsonl', '{"body":[9007199254740993,5]}'],
    ['\x1e1\n\x1e2\n', 'application/json-seq', '{"body":[1,2]}'],
    ['1\n2\n', 'application/x-ndjson', '{"body":"1\\n2\\n"}'],
    ['"a"', 'application/jsonl', /^400 body 0 must be a 64-bit integer/],
    ['\x1e1\n\x1e2\n\x1e3', 'application/json-seq', /^400 body must NOT have more than 2 items/],
    ['{', 'application/jsonl', '400 The text is not JSON.'],
  ] as const)
    t.match(await send(post(payload, type)), received, payload)
})

t.test('the head of an event stream is sent before the first event', async (t) => {
  const end = deferred<void>()
  async function* silent() {
    await end.promise
    yield { data: 'late' }
  }
  const { url } = await serve(t, 'text/event-stream', silent)
  const response = await fetch(url)
  t.match(response.headers.get('content-type'), 'text/event-stream')
  end.resolve()
  t.equal(await response.text(), 'data: late\n\n')
})
