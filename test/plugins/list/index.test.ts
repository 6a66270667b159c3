import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import Fastify, { type FastifyReply } from 'fastify'
import { createWriteScheduler } from 'http-edge/responses'
import t from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { fc } from 'test-kit/properties'
import { listSenders } from '../../../plugins/list/index.ts'
import { OrderList } from '../../../store/page.ts'
import { authorization, build, storeOf } from '../../fixtures/app.ts'

const url = '/v1/store/orders'

t.test('a client that has the list gets 304 without a body, any other gets the list', async (t) => {
  const app = await build(t)
  const full = await app.inject({ url, headers: { authorization } })
  t.match(full.headers, { 'cache-control': 'private, no-cache', vary: 'Accept, Accept-Encoding' })
  const etag = String(full.headers.etag)
  const strong = etag.slice(2)
  for (const known of [etag, strong, '*', ' * ', `"a", ${etag}`, `"a,b",${strong} , W/"c"`, `""${etag}`]) {
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await app.inject({ method, url, headers: { authorization, 'if-none-match': known } })
      t.strictSame([response.statusCode, response.body], [304, ''], known)
      t.equal(response.headers['content-type'], undefined)
      for (const name of ['etag', 'cache-control', 'vary']) t.equal(response.headers[name], full.headers[name], name)
    }
  }
  const similar = [etag.slice(3, -1), etag.toUpperCase().replace('W/', 'w/'), `"${etag}"`]
  for (const other of ['a', '"a"', 'W/"a"', '', '"*"', ...similar]) {
    const response = await app.inject({ url, headers: { authorization, 'if-none-match': other } })
    t.equal(response.statusCode, 200, other)
  }
  t.equal((await app.inject({ url, headers: { 'if-none-match': '*' } })).statusCode, 401, 'nothing without a key')
})

t.test('gzip is sent if the client prefers it', async (t) => {
  const app = await build(t)
  const plain = await app.inject({ url, headers: { authorization } })
  const preferences: [acceptEncoding: string | undefined, encoding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['GZIP;q=0.1', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['br', undefined],
    ['x-gzip', 'gzip'],
    ['X-GZIP;q=0.1', 'gzip'],
    ['identity;q=0, *', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    [`gzip${',br'.repeat(5_000)}`, undefined],
  ]
  for (const [acceptEncoding, encoding] of preferences) {
    const headers = { authorization, ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }) }
    const response = await app.inject({ url, headers })
    t.equal(response.headers['content-encoding'], encoding, String(acceptEncoding))
    t.equal(response.headers['content-length'], String(response.rawPayload.length))
    t.equal(response.headers.etag, plain.headers.etag)
    t.equal(String(encoding ? gunzipSync(response.rawPayload) : response.rawPayload), plain.body)
  }
})

t.test('a client that excludes every encoding gets 406', async (t) => {
  const app = await build(t)
  const message = 'The list is available only with the encodings gzip and identity.'
  for (const acceptEncoding of ['*;q=0', 'identity;q=0', 'identity;q=0, br', 'gzip;q=0, identity;q=0']) {
    const response = await app.inject({ url, headers: { authorization, 'accept-encoding': acceptEncoding } })
    t.strictSame(response.json(), { code: 'not_acceptable', message, status: 406 }, acceptEncoding)
    t.equal(response.headers['content-encoding'], undefined)
    t.match(response.headers.vary, /\baccept-encoding\b/i)
  }
})

t.test('a compressed list is never larger than the plain one, from the first response on', async (t) => {
  const headers = { authorization, 'accept-encoding': 'gzip' }
  const strict = { authorization, 'accept-encoding': 'gzip, identity;q=0' }
  const none = await build(t, { records: [] })
  const empty = await none.inject({ url, headers })
  t.equal(empty.headers['content-encoding'], undefined)
  t.equal(empty.body, '[]')
  const longer = await none.inject({ url, headers: strict })
  t.equal(longer.headers['content-encoding'], 'gzip', 'unless the client accepts nothing else')

  const records = Array.from({ length: 30_000 }, (_, id) => `{"id":${id}}`)
  const large = await build(t, { records, checkResponses: false })
  t.equal((await large.inject({ url, headers: strict })).headers['content-encoding'], 'gzip', 'it waits instead')

  const app = await build(t, { records, checkResponses: false })
  const plain = await app.inject({ url, headers: { authorization } })
  const first = await app.inject({ url, headers })
  t.equal(first.headers['content-encoding'], undefined, 'not compressed yet')
  t.equal(first.headers.vary, plain.headers.vary)
  t.equal(first.body, plain.body)
  let next = first
  while (!next.headers['content-encoding']) {
    await setImmediate() // zlib's threads need the event loop, inject does not
    next = await app.inject({ url, headers })
  }
  t.ok(next.rawPayload.length < plain.rawPayload.length / 3)
  t.equal(String(gunzipSync(next.rawPayload)), plain.body)
  const head = await app.inject({ method: 'HEAD', url, headers })
  t.equal(head.headers['content-length'], String(next.rawPayload.length))
  t.equal(head.headers['content-encoding'], 'gzip')
})

t.test('a list that cannot be compressed is sent uncompressed', async (t) => {
  const { lines, logger } = capturedLog()
  const app = Fastify({ logger })
  let isClosed = false
  const close = () => {
    isClosed = true
  }
  const compressor = { gzip: () => Promise.reject(new Error('out of memory')), close }
  const sender = listSenders(app, { writeScheduler: createWriteScheduler(), compressor })(() => false)
  const orders = await storeOf(t)
  app.get('/', (_request, reply) => {
    void orders.list().then((pages) => sender.send(reply, new OrderList(pages)))
  })
  const response = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } })
  t.equal(response.headers['content-encoding'], undefined)
  t.equal(response.body, (await app.inject('/')).body)
  const failure = lines.find(({ msg }) => String(msg).startsWith('cannot compress the list'))
  t.match(failure, { level: 50, err: { message: 'out of memory' } })
  await app.close()
  t.ok(isClosed, 'the compressor closes with the app')
})

t.test('while large lists wait too long, the response to HEAD and a 304 are sent', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const records = Array.from({ length: 30_000 }, (_, id) => `{"id":${id}}`)
  const store = await storeOf(t, records)
  const orders = new OrderList(await store.list())
  const reject = (reply: FastifyReply) => reply.code(503).send() === reply
  const sender = listSenders(app, { writeScheduler: createWriteScheduler() })(reject)
  app.get('/', (_request, reply) => void sender.send(reply, orders))
  const sent = [{ method: 'GET' }, { method: 'HEAD' }, { headers: { 'if-none-match': '*' } }] as const
  const responses = await Promise.all(sent.map((options) => app.inject({ url: '/', ...options })))
  const statuses = responses.map(({ statusCode }) => statusCode)
  t.strictSame(statuses, [503, 200, 304])
})

t.test('plain and compressed lists match the orders after any cancellations', async (t) => {
  const ids = Array.from({ length: 3000 }, (_, index) => index)
  const app = await build(t, { records: ids.map((id) => `{"id":${id},"quantity":${id % 7}}`) })
  const property = fc.asyncProperty(fc.array(fc.nat(2999), { maxLength: 5 }), async (cancels) => {
    for (const id of cancels) {
      const { statusCode } = await app.inject({ method: 'DELETE', url: `${url}/${id}`, headers: { authorization } })
      assert.equal(statusCode, ids.includes(id) ? 204 : 404)
      if (statusCode === 204) ids.splice(ids.indexOf(id), 1)
    }
    const expected = JSON.stringify(ids.map((id) => ({ id, quantity: id % 7 })))
    const plain = await app.inject({ url, headers: { authorization } })
    assert.equal(plain.body, expected)
    const zipped = await app.inject({ url, headers: { authorization, 'accept-encoding': 'gzip' } })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(String(gunzipSync(zipped.rawPayload)), expected)
  })
  await t.resolves(fc.assert(property, { numRuns: 30 }))
})

t.test('a stalled reader gets the list as of the start of its response', async (t) => {
  const ids = Array.from({ length: 100_000 }, (_, id) => id)
  const rest = { petId: 1, quantity: 1, shipDate: '2026-12-04T09:00:00.000Z', complete: false }
  const app = await build(t, { records: ids.map((id) => JSON.stringify({ id, ...rest })), checkResponses: false })
  let stalled: ServerResponse | undefined
  app.addHook('onRequest', async (_request, reply) => {
    stalled ??= reply.raw
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const reader = (await fetch(`${origin}${url}`, { headers: { authorization } })).body?.getReader()
  const read: Uint8Array[] = []
  for (const id of ids.slice(-1000))
    await app.inject({ method: 'DELETE', url: `${url}/${id}`, headers: { authorization } })
  t.notOk(stalled?.writableEnded, 'the rest is not written yet')
  const now = await app.inject({ url, headers: { authorization } })
  t.equal(now.json().length, 99_000, 'another response does not wait for it')
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) read.push(next.value)
  const whole: { id: number }[] = JSON.parse(String(Buffer.concat(read)))
  t.ok(whole.length === ids.length && whole.every(({ id }, at) => id === at))
})
