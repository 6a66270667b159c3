// Bodies that are sent item by item.
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { type Document, exactOpenapi } from '../../src/index.ts'

type Body = () => unknown

/** @returns the address of `GET /a` */
async function serve(t: Test, type: string, body: Body) {
  const get = {
    operationId: 'watch',
    security: [],
    responses: { 200: { description: 'Items.', content: { [type]: {} } } },
  }
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get } },
  } as unknown as Document
  const app = Fastify()
  t.teardown(() => app.close())
  const handlers = { watch: async () => ({ status: 200, type, body: body() }) }
  await app.register(exactOpenapi, { document, handlers, checkResponses: 'throw' })
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/a`
}

async function* list(...items: unknown[]) {
  yield* items
}

t.test('items are written in the form of their media type, with exact numbers', async (t) => {
  const id = 9007199254740993n
  for (const [type, body, expected] of [
    [
      'text/event-stream',
      () => list({ event: 'sold\nout', data: { id } }, { id: '7', retry: 5, data: 'a\nb' }, { event: 'end' }),
      `event: sold out\ndata: {"id":${id}}\n\nid: 7\nretry: 5\ndata: a\ndata: b\n\nevent: end\n\n`,
    ],
    ['application/jsonl', () => list({ id }, null), `{"id":${id}}\nnull\n`],
    ['application/x-ndjson', () => list(1, 'a'), '1\n"a"\n'],
    ['application/json-seq', () => list([id]), `\x1e[${id}]\n`],
    ['text/event-stream', () => Readable.from(['data: a\n\n']), 'data: a\n\n'],
    ['text/event-stream', () => 'data: b\n\n', 'data: b\n\n'],
  ] as const) {
    const response = await fetch(await serve(t, type, body))
    t.equal(await response.text(), expected, type)
    t.match(response.headers.get('content-type'), type)
  }
})

t.test('items are taken as fast as they are read, and none for a client that is gone', async (t) => {
  let taken = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  async function* endless() {
    try {
      for (;;) yield { data: 'x'.repeat(2 ** 16), id: String(taken++) }
    } finally {
      end()
    }
  }
  const sent = request(await serve(t, 'text/event-stream', endless)).on('error', () => {})
  sent.end()
  const [response] = await once(sent, 'response')
  await once(response, 'readable')
  let before = -1
  while (taken !== before) {
    before = taken
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  t.ok(taken < 2_000, `${taken} items wait for the client`)
  sent.destroy()
  await ended
  t.pass('the iterable has ended')
})
