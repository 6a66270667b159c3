import { once } from 'node:events'
import { createServer as createPlainServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { listen } from 'test-kit/ports'
import { closed } from 'test-kit/raw'
import { block, until } from 'test-kit/until'
import { receiveBody } from '../src/body.ts'
import { createConnectionLimits } from '../src/connection-limits.ts'
import { rejectConnection, wasAborted } from '../src/connections.ts'
import { attach, closeServer, serverOptions } from '../src/server.ts'

/** A server without TLS, which listens until the test ends. */
async function plain(t: Test, handle: RequestListener, options = {}) {
  const server = attach(createPlainServer({ ...serverOptions, ...options }), handle)
  return { server, port: await listen(t, server) }
}

/** A connection, also one that is dropped, and its other end. */
async function dial(t: Test, { server, port }: { server: Server; port: number }) {
  const accepted = Promise.race([once(server, 'connection'), once(server, 'drop')])
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  const [peer] = await accepted
  return { socket, peer }
}

const served: RequestListener = (_request, response) => response.end('served')
const request = (last = '') => `GET / HTTP/1.1\r\nHost: x\r\n${last}\r\n`
const rejection = { reason: new Error(), response: () => 'HTTP/1.1 400 Bad Request\r\n\r\n' }

for (const [what, bytes] of Object.entries({
  'is never finished': '\x16\x03',
  'is not a handshake': 'GET / HTTP/1.1\r\n\r\n',
})) {
  t.test(`a TLS handshake that ${what} is closed without a response`, async (t) => {
    const options = { ...serverOptions, handshakeTimeout: 50 }
    const server = attach(createTlsServer(options), () => t.fail('there is no request'))
    server.on('clientError', (error, socket) => rejectConnection(socket, error, rejection))
    const socket = connect(await listen(t, server), '127.0.0.1')
    socket.write(bytes, 'latin1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    await closed(socket)
    t.notMatch(received, 'HTTP')
  })
}

t.test('a server that was not attached is not closed, and the error says what to do', async (t) => {
  await t.rejects(closeServer(createPlainServer(), 0), { message: /call attach first/ })
})

t.test('a pending handshake ends with the server', async (t) => {
  const server = attach(createTlsServer(serverOptions), () => t.fail('there is no request'))
  const { socket } = await dial(t, { server, port: await listen(t, server) })
  socket.write('\x16\x03', 'latin1')
  void closeServer(server, 0)
  await closed(socket)
  t.pass('the connection is closed')
})

t.test('a slowly read response is completed when the server closes', async (t) => {
  const body = Buffer.alloc(64 * 1024 * 1024) // more than any buffer holds
  const { server, port } = await plain(t, (_request, response) => response.end(body))
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write(request())
  await once(server, 'request')
  const ended = once(server, 'close')
  void closeServer(server, 60_000)
  let received = 0
  for await (const chunk of socket) received += chunk.length
  await ended
  t.ok(received > body.length, `${received} bytes`)
})

t.test('closing idle connections repeatedly waits once, and leaves no listener', async (t) => {
  const { server } = await plain(t, served)
  const before = server.listenerCount('connection')
  for (let time = 0; time < 20; time++) server.closeIdleConnections()
  t.equal(server.listenerCount('connection'), before + 1)
  await until(() => server.listenerCount('connection') === before)
  t.equal(server.listenerCount('drop'), 0)
})

t.test('the next request has 100 milliseconds to arrive before its connection is idle', async (t) => {
  let now = 1_000
  t.intercept(performance, 'now', { value: () => now })
  let answered: Promise<unknown> | undefined
  const { server, port } = await plain(t, (_request, response) => {
    answered = once(response.end(), 'close')
  })
  const before = server.listenerCount('connection')
  const { socket, peer } = await dial(t, { server, port })
  socket.write(request())
  await once(socket, 'data')
  await answered
  for (now of [1_099, 1_100]) {
    server.closeIdleConnections()
    await until(() => server.listenerCount('connection') === before)
    t.equal(peer.destroyed, now === 1_100, `${now}`)
  }
})

/** Longer than any limit of time without `graceMs`. */
const standStill = () => block(1_100)

for (const [what, pause] of [
  ['the server closes', () => {}],
  ['it closes in a process that stands still', standStill],
] as const) {
  t.test(`connections that only the kernel has accepted are served when ${what}`, async (t) => {
    const { server, port } = await plain(t, served)
    // connect(2) succeeds at once, and the event loop has had no turn.
    const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'))
    for (const socket of sockets) socket.write(request('Connection: close\r\n'))
    const received = sockets.map((socket) => text(socket).catch(({ code }) => code))
    const ended = closeServer(server, 60_000)
    pause()
    for (const each of await Promise.all(received)) t.match(each, /served$/)
    await ended
  })
}

t.test('a process that stands still after it has closed its port serves what has arrived', async (t) => {
  const { server, port } = await plain(t, served)
  const { socket } = await dial(t, { server, port })
  await closeServer(server, 60_000)
  socket.write(request())
  standStill()
  t.match(await text(socket).catch(({ code }) => code), /served$/)
})

t.test('a busy event loop delays the end of a port by no more than graceMs', async (t) => {
  const { server } = await plain(t, () => t.fail('there is no request'))
  let turns = 0
  const busy = setInterval(() => {
    turns++
    block(5)
  }, 1)
  t.teardown(() => clearInterval(busy))
  await closeServer(server, 50)
  t.ok(turns <= 20, `${turns} turns`)
})

t.test('a request that only the kernel has is served on a kept connection when the server closes', async (t) => {
  const { server, port } = await plain(t, served)
  const socket = connect(port, '127.0.0.1')
  socket.write(request())
  await once(socket, 'data')
  socket.write(request('Connection: close\r\n'))
  void closeServer(server, 60_000)
  t.match(await text(socket), /served$/)
})

t.test('connections on which nothing arrives do not delay the end', async (t) => {
  const pem = await makeCertificate('localhost')
  const server = attach(createTlsServer({ ...serverOptions, key: pem, cert: pem }), () => t.fail('there is no request'))
  const port = await listen(t, server)
  const accepted = once(server, 'secureConnection')
  const silent = [connect(port, '127.0.0.1'), connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })]
  await accepted
  const ended = silent.map(closed)
  void closeServer(server, 3_600_000)
  await Promise.all([...ended, once(server, 'close')])
  t.pass('all are closed')
})

t.test('a client that has just connected has a second for its request when the server closes', async (t) => {
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const { server, port } = await plain(t, () => t.fail('there is no request'))
  const { peer } = await dial(t, { server, port })
  const rounds = t.capture(server, 'closeIdleConnections')
  await closeServer(server, 3_600_000)
  for (now of [1_000, 1_001]) {
    for (let passed = 0; passed < 4 && !peer.destroyed; passed += rounds().length) await new Promise(setImmediate)
    t.equal(peer.destroyed, now === 1_001, `${now}`)
  }
})

t.test('the connections of all servers are limited together', async (t) => {
  const full: string[] = []
  const connectionLimits = createConnectionLimits({ maxConnections: 3, onFull: () => full.push('full') })
  const servers = [0, 1].map(() => attach(createPlainServer(serverOptions), served, { connectionLimits }))
  const ports = await Promise.all(servers.map(async (server) => ({ server, port: await listen(t, server) })))
  const dialAt = (index: number) => dial(t, ports[index] as (typeof ports)[number])
  const open = [await dialAt(0), await dialAt(0), await dialAt(1)]
  t.strictSame(full, [])
  for (let times = 0; times < 2; times++) await closed((await dialAt(times)).socket)
  t.strictSame(full, ['full'], 'once')
  const ended = once(open[2]?.peer, 'close')
  open[2]?.socket.destroy()
  await ended
  await dialAt(1)
  t.strictSame(connectionLimits.connections(), { open: 3, max: 3, refused: 2 })
})

t.test('a connection that is lost closes every response that has not been sent', async (t) => {
  const responses: ServerResponse[] = []
  const { server, port } = await plain(t, (_request, response) => responses.push(response))
  const socket = connect(port, '127.0.0.1')
  socket.write(request().repeat(52))
  while (responses.length < 52) await once(server, 'request')
  const closes = responses.map((response) => new Promise((resolve) => response.on('error', resolve)))
  responses.at(0)?.write('begun')
  for (const response of responses.slice(2)) response.end('waits for those before it')
  socket.resetAndDestroy()
  t.match(await Promise.all(closes), Array(52).fill({ code: 'ECONNABORTED' }))
  t.ok(responses.every((response) => wasAborted(response)))
})

/** What a client gets for a body that fails, from a handler that reads it as Node.js has it. */
for (const [what, bytes] of Object.entries({
  'ends early': 'Content-Length: 9\r\n\r\nhalf',
  'is malformed': 'Transfer-Encoding: chunked\r\n\r\nZ\r\n',
})) {
  t.test(`a body that ${what} gets the final response, after those before it`, async (t) => {
    const { server, port } = await plain(t, async (request, response) => {
      if (request.method === 'POST') await text(request).catch(() => {}) // aborted
      if (request.url === '/') response.end('done')
    })
    server.on('clientError', (error, socket) => rejectConnection(socket, error, rejection))
    const failing = `POST / HTTP/1.1\r\nHost: x\r\n${bytes}`
    const unread = `GET /never HTTP/1.1\r\nHost: x\r\n${bytes}`
    const get = request()
    const whole = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok'
    for (const [before, last] of [
      ['', failing],
      [get, failing],
      [whole, failing],
      [get, unread],
    ] as const) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.end(before + last)
      const statuses = (await text(socket)).match(/HTTP\/1.1 \d+/g)
      t.strictSame(statuses, before ? ['HTTP/1.1 200', 'HTTP/1.1 400'] : ['HTTP/1.1 400'], before)
    }
  })
}

t.test('a handler and a silent stream may take longer than connections may be idle', async (t) => {
  const { port } = await plain(t, ({ url, socket }, response) => {
    if (url === '/stream') response.write('begun, ')
    setImmediate(() => {
      socket.emit('timeout')
      response.end('late')
    })
  })
  t.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'late')
  t.equal(await (await fetch(`http://127.0.0.1:${port}/stream`)).text(), 'begun, late')
})

t.test('a connection is closed if its client neither sends nor reads', async (t) => {
  const body = Buffer.alloc(64 * 1024 * 1024) // more than any buffer holds
  const handle: RequestListener = ({ method, socket }, response) => {
    if (method === 'GET') response.end(body)
    socket.emit('timeout')
  }
  const { server, port } = await plain(t, handle, { requestTimeout: 0, headersTimeout: 0 })
  t.equal(server.timeout, 120_000)
  for (const bytes of ['', request(), request('Content-Length: 9\r\n').replace('GET', 'POST')]) {
    const { socket, peer } = await dial(t, { server, port })
    socket.write(bytes)
    if (bytes === '') peer.emit('timeout')
    await closed(peer)
    t.pass(`closed: ${bytes}`)
  }
})

t.test('a plain server rejects HTTP/1.1 without Host', async (t) => {
  const { port } = await plain(t, () => t.fail('it is not served'))
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end('GET / HTTP/1.1\r\n\r\n')
  t.match(await text(socket), /^HTTP\/1.1 400 /)
})

t.test('a body that is sent without a 100 gets none, even while an earlier response is pending', async (t) => {
  let first: ServerResponse | undefined
  const { port } = await plain(t, (request, response) => {
    if (!first) {
      first = response
      return
    }
    const ended = (_error: unknown, body: Buffer) => {
      t.equal(body.length, 0, 'it is not kept')
      response.end()
      first?.end()
    }
    receiveBody(request, response, { limit: 5, isKept: false })(ended)
    socket.write('hello')
  })
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  const head = 'GET / HTTP/1.1\r\nHost: x\r\n'
  socket.write(`${head}\r\n${head}Content-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`)
  t.strictSame((await text(socket)).match(/HTTP\S+ \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200'])
})

t.test('a body that nothing reads is skipped up to 1 MiB, and closes its connection beyond', async (t) => {
  const { port } = await plain(t, (request, response) => {
    receiveBody(request, response)
    response.end()
  })
  for (const [length, responses] of [
    [2 ** 20, 2],
    [2 ** 20 + 1, 1],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    const head = request(`Content-Length: ${length}\r\n`).replace('GET', 'POST')
    socket.write(`${head}${'x'.repeat(length)}${request('Connection: close\r\n')}`)
    t.equal((await text(socket)).match(/HTTP\S+ 200/g)?.length, responses, `${length}`)
  }
})

t.test('a request for an upgrade, which none gets, is the last one of its connection', async (t) => {
  const { port } = await plain(t, served)
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write(request('Connection: upgrade\r\nUpgrade: websocket\r\n'))
  t.match(String((await once(socket, 'data'))[0]), /^connection: close/im)
})
