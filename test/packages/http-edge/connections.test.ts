import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { closed, dial, responsesIn, responsesTo } from 'test-kit/raw'
import { authorization, build } from '../../fixtures/app.ts'

const head = (method: string, path: string, ...headers: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: ${authorization}`, ...headers].join('\r\n')}\r\n\r\n`
const get = head('GET', '/v1/store/orders')
const cancel = (id: number | string, ...headers: string[]) => head('DELETE', `/v1/store/orders/${id}`, ...headers)
const chunked = 'Transfer-Encoding: chunked'

/** 100,000 orders, 10 MB: more than the buffers of a connection hold if the client does not read. */
const rest = { quantity: 1, shipDate: '2026-11-20T12:00:00.000Z', status: 'pending', complete: false }
const long = Array.from({ length: 100_000 }, (_, id) => JSON.stringify({ id, petId: id, ...rest }))

const statusesOf = async (t: Test, app: FastifyInstance, text: string, options = {}) =>
  (await responsesTo(t, app, text, options)).map(({ status }) => status)

/** Whether the order can still be cancelled: nothing has been done to it. */
async function isPending(app: FastifyInstance, id: number) {
  const headers = { authorization, 'if-match': '"none"' }
  const { statusCode } = await app.inject({ method: 'DELETE', url: `/v1/store/orders/${id}`, headers })
  const list = await app.inject({ url: '/v1/store/orders', headers: { authorization } })
  return statusCode === 412 && list.json().some((order: { id: number }) => order.id === id)
}

/** Each way in which framing can break; test/hostile/requests/broken.ts has many more of each. */
const broken: Record<string, [headers: string[], body: string, options?: { fin: boolean }]> = {
  'an unknown transfer coding': [['Transfer-Encoding: gzip'], ''],
  'a chunk size that is no number': [[chunked], 'zz\r\n'],
  'a FIN within a body': [['Content-Length: 10'], 'ab', { fin: true }],
  'a FIN within a chunk': [[chunked], '5\r\nhel', { fin: true }],
  'a FIN in the body of an upgrade': [['Connection: upgrade', 'Upgrade: a', 'Content-Length: 9'], 'ab', { fin: true }],
  'a FIN before the last chunk': [[chunked], '5\r\nhello\r\n', { fin: true }],
}

for (const [what, [headers, body, options]] of Object.entries(broken)) {
  t.test(`${what} is rejected with 400, after other requests, and has no effect`, async (t) => {
    const app = await build(t)
    const text = `${get}${cancel(1009)}${cancel(1007, ...headers)}${body}`
    const responses = await responsesTo(t, app, text, options)
    const last = { status: 400, headers: { connection: 'close', 'x-request-id': /./ }, body: 'invalid_request' }
    t.match(responses, [{ status: 200 }, { status: 204 }, last])
    t.equal(responses.length, 3)
    t.ok(await isPending(app, 1007))
  })
}

t.test('a transfer coding in HTTP/1.0 is rejected with 400 and has no effect', async (t) => {
  const app = await build(t)
  const text = cancel(1007, chunked, 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0')
  t.strictSame(await statusesOf(t, app, `${text}0\r\n\r\n${get}`), [400])
  t.ok(await isPending(app, 1007))
})

t.test('input after a request with Connection: close is ignored', async (t) => {
  const app = await build(t)
  for (const behind of [cancel(1007), 'GARBAGE\r\n\r\n']) {
    const text = `${head('GET', '/v1/store/orders', 'Connection: close')}${behind}`
    t.strictSame(await statusesOf(t, app, text), [200])
  }
  t.ok(await isPending(app, 1007))
})

t.test('a 100 precedes its own response and follows those to earlier requests', async (t) => {
  const app = await build(t)
  const { socket, rest } = await dial(t, app)
  const waiting = cancel(1, 'Expect: 100-continue', 'Content-Length: 2', 'Connection: close')
  socket.write(`${get}${get}${waiting}`)
  let text = ''
  while (!text.includes('100 Continue')) text += (await once(socket, 'data'))[0]
  socket.write('ab')
  const statuses = Array.from((await rest()).matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)
  t.equal(statuses.join(' '), '200 200 100 404')
})

t.test('CONNECT waits for a response that is read slowly', async (t) => {
  const app = await build(t, { records: long, checkResponses: false })
  const { socket, rest } = await dial(t, app)
  socket.pause()
  socket.write(get)
  await once(app.server, 'request')
  const tunnel = once(app.server, 'connect')
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  await tunnel
  socket.resume()
  const [list, refused, ...more] = responsesIn(await rest())
  t.equal(JSON.parse(String(list?.body)).length, 100_000)
  t.match(refused, { status: 400, body: 'CONNECT is not supported.' })
  t.strictSame(more, [])
})

t.test('a pipelined cancellation waits for earlier responses, and is dropped if the client disconnects', async (t) => {
  const app = await build(t, { records: long, checkResponses: false })
  const done: string[] = []
  app.addHook('onRequest', async ({ method }, reply) => {
    reply.raw.on('finish', () => done.push(`${method} completed`))
    done.push(method)
  })
  const text = `${get}${get}${cancel(5)}${get}${cancel(5, 'Connection: close')}`
  t.strictSame(await statusesOf(t, app, text), [200, 200, 204, 200, 404])
  t.strictSame(done, [
    ...['GET', 'GET', 'GET completed', 'GET completed', 'DELETE', 'DELETE completed'],
    ...['GET', 'GET completed', 'DELETE', 'DELETE completed'],
  ])

  const { socket } = await dial(t, app)
  socket.pause()
  socket.write(`${get}${cancel(7)}`)
  await once(app.server, 'request')
  socket.resetAndDestroy()
  await closed(socket)
  t.ok(await isPending(app, 7))
})

t.test('a request that arrives too late gets 408, and the rest of it is ignored', async (t) => {
  const app = await build(t)
  for (const [sent, later] of [
    [cancel(1007, 'Content-Length: 2'), 'ab'],
    [cancel(1007).slice(0, -2), '\r\n'],
    [`${get}${cancel(1007, chunked)}5\r\nhe`, 'llo\r\n0\r\n\r\n'],
  ] as const) {
    const { socket, rest, arrived } = await dial(t, app)
    socket.write(sent)
    const server = await arrived(sent.length)
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), server)
    socket.write(`${later}${cancel(1007)}`)
    t.equal(responsesIn(await rest()).at(-1)?.status, 408)
    t.ok(await isPending(app, 1007))
  }
})

t.test('what a client still sends is read, as a reset could overtake the final response', async (t) => {
  const { socket, rest, arrived } = await dial(t, await build(t))
  const timers = t.capture(globalThis, 'setTimeout', setTimeout)
  socket.write('GARBAGE\r\n\r\n')
  const server = await arrived(1)
  const ended = closed(server)
  t.equal(responsesIn(await rest())[0]?.status, 400)
  socket.end(Buffer.alloc(2 ** 16))
  await ended
  t.ok(server.bytesRead > 2 ** 16)
  const lingering = timers().filter(({ args }) => args[1] === 2_000)
  t.match(lingering, [{ returned: { _destroyed: true } }], 'for two seconds at most, and no timer is left')
})

for (const [what, length] of Object.entries({ 'keeps sending': 2 ** 23, 'never closes': 0 })) {
  t.test(`a client that ${what} after the final response is disconnected`, async (t) => {
    const { socket, rest, arrived } = await dial(t, await build(t))
    socket.write('GARBAGE\r\n\r\n')
    const server = await arrived(1)
    const ended = closed(server)
    t.equal(responsesIn(await rest())[0]?.status, 400)
    socket.write(Buffer.alloc(length))
    await ended
    t.ok(server.bytesRead < 2 ** 23)
  })
}
