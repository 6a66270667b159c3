import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { constants, type Http2ServerRequest, type OutgoingHttpHeaders } from 'node:http2'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import {
  DATA,
  END_HEADERS,
  END_STREAM,
  fetchOver,
  fields,
  frame,
  framesOf,
  GOAWAY,
  HEADERS,
  h2,
  literal,
  openSession,
  PING,
  preface,
  RST_STREAM,
  uint32,
  WINDOW_UPDATE,
} from 'test-kit/http2'
import { closed } from 'test-kit/raw'
import { receiveBody } from '../../../http-edge/src/body.ts'
import { wasAborted } from '../../../http-edge/src/connections.ts'
import { openPorts, routingOf } from '../fixtures/ports.ts'
import { startHttp2 } from '../fixtures/start-http2.ts'

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_NO_ERROR } = constants
const greet: RequestListener = (_request, response) => response.end('hello')
const whole = END_HEADERS | END_STREAM
const ping = frame(PING, 0, 0, Buffer.alloc(8))
const goaway = frame(GOAWAY, 0, 0, Buffer.alloc(8))

/** Responds with the body, or with the status of its error. */
function echo(bodies = new EventEmitter()): RequestListener {
  return (request, response) => {
    bodies.emit('begun')
    receiveBody(request, response, { limit: 1000, isKept: true })((error, body) => {
      const { statusCode = 413 } = (error ?? { statusCode: 200 }) as { statusCode?: number }
      bodies.emit('read', statusCode, body)
      response.writeHead(statusCode, { connection: 'close' }).end(body)
    })
  }
}

t.test('a client chooses the protocol in the handshake', async (t) => {
  const { dial, session } = await startHttp2(t, ({ httpVersion }, response) => response.end(httpVersion))
  t.match(await fetchOver(session(), {}), { status: 200, body: '2.0' })
  for (const ALPNProtocols of [['http/1.1'], []]) {
    const socket = dial({ ALPNProtocols })
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    t.match(await text(socket), /^HTTP\/1\.1 200 .*1\.1$/s)
  }
})

t.test('a request has the connection, the host and the framing of HTTP/1.1', async (t) => {
  const { session } = await startHttp2(t, (request, response) => {
    const { host, 'transfer-encoding': coding } = request.headers
    const { remoteAddress, destroyed } = request.socket
    response.end(JSON.stringify([host, coding, remoteAddress, destroyed]))
  })
  const shown = async (headers: OutgoingHttpHeaders, body?: string) =>
    JSON.parse((await fetchOver(session(), headers, body)).body)
  t.strictSame(await shown({}), ['localhost:443', null, '127.0.0.1', false])
  t.strictSame(await shown({ host: 'a.test' }), ['a.test', null, '127.0.0.1', false])
  t.strictSame(await shown({ ':method': 'POST' }, 'a'), ['localhost:443', 'chunked', '127.0.0.1', false])
})

t.test('a request has the address of its client when the connection is lost', async (t) => {
  for (const ALPNProtocols of [['h2'], ['http/1.1']]) {
    const addresses = new EventEmitter()
    const { dial } = await startHttp2(t, ({ socket }) => {
      socket.once('close', () => addresses.emit('close', socket.remoteAddress))
      addresses.emit('begun')
    })
    const [begun, lost] = [once(addresses, 'begun'), once(addresses, 'close')]
    const socket = dial({ ALPNProtocols })
    if (ALPNProtocols.includes('h2')) socket.write(Buffer.concat([preface(), frame(HEADERS, whole, 1, fields('GET'))]))
    else socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await begun
    socket.destroy()
    t.strictSame(await lost, ['127.0.0.1'], String(ALPNProtocols))
  }
})

t.test(':authority and Host name the host of the handshake', async (t) => {
  const host = 'docs.shop.test'
  const { dialSecurely } = await openPorts(t, () => routingOf({ states: { [host]: 'live', 'also.shop.test': 'live' } }))
  const session = openSession(t, dialSecurely(host, h2), host)
  const names: [headers: Record<string, string>, status: number][] = [
    [{ ':authority': host }, 200],
    [{ host }, 200],
    [{ ':authority': host, host: 'DOCS.shop.test' }, 200],
    [{ ':authority': 'also.shop.test' }, 421],
    [{ ':authority': host, host: 'also.shop.test' }, 400],
  ]
  for (const [headers, status] of names)
    t.equal((await fetchOver(session, headers)).status, status, String(Object.entries(headers)))
})

t.test('a request without :authority and Host is reset', async (t) => {
  const { dial } = await startHttp2(t, () => t.fail('there is no request'))
  const socket = dial()
  const frames = framesOf(socket)
  socket.write(Buffer.concat([preface(), frame(HEADERS, whole, 1, fields().subarray(0, 3)), goaway]))
  t.notOk((await frames).some(({ type }) => type === HEADERS))
})

t.test('CONNECT is rejected', async (t) => {
  const { session } = await startHttp2(t, () => t.fail('there is no request'))
  const { status } = await fetchOver(session(), { ':method': 'CONNECT', ':authority': 'localhost:443' })
  t.equal(status, 400)
})

t.test('a body is read to its end, or to the limit if it is too large', async (t) => {
  const { session } = await startHttp2(t, echo())
  const post = { ':method': 'POST' }
  t.match(await fetchOver(session(), post, 'a body'), { status: 200, body: 'a body', code: NGHTTP2_NO_ERROR })
  t.match(await fetchOver(session(), post, Buffer.alloc(1_000_000)), { status: 413, code: NGHTTP2_NO_ERROR })
})

t.test('a body that does not arrive in time gets 408', async (t) => {
  const { session } = await startHttp2(t, echo(), { requestTimeout: 20 })
  const stream = session().request({ ':method': 'POST' }, { endStream: false })
  stream.write('the beginning')
  const [headers] = await once(stream, 'response')
  t.equal(headers[':status'], 408)
})

for (const code of [NGHTTP2_NO_ERROR, NGHTTP2_CANCEL]) {
  t.test(`a body cut off by a reset with code ${code} does not count as complete`, async (t) => {
    const bodies = new EventEmitter()
    const { dial } = await startHttp2(t, echo(bodies))
    const [begun, read] = [once(bodies, 'begun'), once(bodies, 'read')]
    const socket = dial()
    const half = frame(DATA, 0, 1, Buffer.from('{"half":1}'))
    socket.write(Buffer.concat([preface(), frame(HEADERS, END_HEADERS, 1, fields('POST')), half]))
    await begun
    socket.write(frame(RST_STREAM, 0, 1, uint32(code)))
    t.equal((await read)[0], 400)
  })
}

t.test('a response that is cut off is recognized', async (t) => {
  const responses = new EventEmitter()
  const { session } = await startHttp2(t, (request, response) => {
    response.once('finish', () => responses.emit('finish', wasAborted(response)))
    if (request.url === '/whole') response.end('whole')
    else response.write('half')
  })
  const requests = session()
  for (const line of ['GET /whole', 'HEAD /whole', 'GET /half']) {
    const [method = '', path] = line.split(' ')
    const finished = once(responses, 'finish')
    const stream = requests.request({ ':path': path, ':method': method }).resume()
    await once(stream, 'response')
    if (path === '/half') stream.close(NGHTTP2_CANCEL)
    t.strictSame(await finished, [path === '/half'], line)
  }
})

t.test('a session without a first request is closed, whatever frames it sends', async (t) => {
  const { dial } = await startHttp2(t, greet, { headersTimeout: 50 })
  const unfinished = [preface(), frame(HEADERS, END_STREAM, 1, fields().subarray(0, 3))]
  for (const frames of [[], [preface(), ping], unfinished]) {
    const socket = dial()
    socket.write(Buffer.concat(frames))
    t.ok((await framesOf(socket)).some(({ type }) => type === GOAWAY))
  }
})

t.test('a session without further requests is closed', async (t) => {
  const timers = t.capture(globalThis, 'setTimeout', setTimeout)
  const { session } = await startHttp2(t, greet, { keepAliveTimeout: 21 })
  const requests = session()
  const gone = once(requests, 'goaway')
  t.equal((await fetchOver(requests, {})).body, 'hello')
  t.equal((await gone)[0], NGHTTP2_NO_ERROR)
  await once(requests, 'close')
  t.ok(timers().some(({ args: [, ms] }) => ms === 21))
})

t.test('a client that never closes its connection is disconnected', async (t) => {
  const timers = t.capture(globalThis, 'setTimeout', setTimeout)
  const { server, dial } = await startHttp2(t, greet, { headersTimeout: 20 })
  const accepted = once(server, 'secureConnection')
  dial({ allowHalfOpen: true } as object).resume()
  await closed((await accepted)[0])
  const waits = timers().map(({ args: [, ms] }) => ms)
  t.ok(waits.includes(2_000), 'it has two seconds')
})

/** Sends more than the buffers hold. */
const flood: RequestListener = (_request, response) => response.end(Buffer.alloc(64 * 1024 * 1024))

for (const [what, window] of Object.entries({ 'that is not read': 0x7fffffff, 'without a flow-control window': 0 })) {
  t.test(`a connection ${what} is closed`, async (t) => {
    const { server, dial } = await startHttp2(t, flood, { timeout: 100 })
    const accepted = once(server, 'secureConnection')
    const update = frame(WINDOW_UPDATE, 0, 0, uint32(0x7fffffff - 65_535))
    dial().write(Buffer.concat([preface({ 4: window }), update, frame(HEADERS, whole, 1, fields())]))
    await closed((await accepted)[0])
    t.pass('closed')
  })
}

t.test('a handler may take longer than connections may be idle', async (t) => {
  const listener: RequestListener = async (request, response) => {
    while (request.socket.writableLength > 0) await setImmediate()
    ;(request as unknown as Http2ServerRequest).stream.session?.emit('timeout')
    await setImmediate()
    response.end('late')
  }
  const { session } = await startHttp2(t, listener)
  t.equal((await fetchOver(session(), {})).body, 'late')
})

t.test('a client that disappears while it is not reading frees its connection', async (t) => {
  let drains = 0
  const endless: RequestListener = (_request, response) => {
    const write = () => {
      drains++
      while (response.write(Buffer.alloc(16 * 1024)));
    }
    response.on('drain', write)
    write()
  }
  const { server, dial } = await startHttp2(t, endless, { timeout: 0 })
  const accepted = once(server, 'secureConnection')
  const client = dial()
  const windows = [preface({ 4: 0x7fffffff }), frame(WINDOW_UPDATE, 0, 0, uint32(0x7fffffff - 65_535))]
  client.write(Buffer.concat([...windows, frame(HEADERS, whole, 1, fields())]))
  const [socket] = await accepted
  for (let before = -1; drains === 0 || drains > before; ) {
    before = drains
    for (let turns = 0; turns < 50; turns++) await setImmediate()
  }
  client.destroy() // resets the connection, because bytes are unread
  await closed(socket)
  t.pass('closed')
})

t.test('when the server closes, pending responses are sent and new requests rejected', async (t) => {
  const responses = new EventEmitter()
  const { http2, session } = await startHttp2(t, (_request, response) => responses.emit('pending', response))
  const requests = session()
  const pending = once(responses, 'pending')
  const first = fetchOver(requests, {})
  const [response] = await pending
  const [gone, ended] = [once(requests, 'goaway'), once(requests, 'close')]
  http2.end()
  await gone
  await t.rejects(async () => once(requests.request({}), 'response'), { code: 'ERR_HTTP2_GOAWAY_SESSION' })
  response.end('the last one')
  t.match(await first, { status: 200, body: 'the last one' })
  await ended
  const late = session()
  const goneLate = once(late, 'goaway').then(([code]) => code)
  await once(late, 'connect')
  const pong = new Promise((resolve) => late.ping(() => late.ping(() => resolve('open'))))
  t.equal(await Promise.race([goneLate, pong]), NGHTTP2_NO_ERROR, 'a handshake that completes later')
})

const numbers = (length: number) => Array.from({ length }, (_, i) => 2 * i + 1)

t.test('requests beyond the limits are reset before they are handled', async (t) => {
  const { dial } = await startHttp2(t, greet)
  const many = (count: number) => Buffer.concat([fields(), ...Array.from({ length: count }, () => literal('a', ''))])
  async function resets(...frames: Buffer[]) {
    const socket = dial()
    socket.write(Buffer.concat([preface(), ...frames, goaway]))
    return (await framesOf(socket)).filter(({ type }) => type === RST_STREAM)
  }
  t.strictSame(await resets(frame(HEADERS, whole, 1, many(990))), [])
  const [reset] = await resets(frame(HEADERS, whole, 1, many(1001)))
  t.strictSame(reset?.payload, uint32(NGHTTP2_ENHANCE_YOUR_CALM))
  const crowd = numbers(101).map((id) => frame(HEADERS, whole, id, fields()))
  t.equal((await resets(...crowd)).length, 1)
})

t.test('a client that resets each request immediately (CVE-2023-44487) is cut off; others are served', async (t) => {
  let count = 0
  const serve: RequestListener = (_request, response) => {
    count++
    response.end('hello')
  }
  // Node 20 sends GOAWAY to a client that resets, and leaves the rest to the timeouts.
  const { dial, session } = await startHttp2(t, serve, { keepAliveTimeout: 100, headersTimeout: 2_000 })
  const socket = dial()
  const frames = framesOf(socket)
  const cancel = uint32(NGHTTP2_CANCEL)
  const resets = numbers(20_000).flatMap((id) => [
    frame(HEADERS, whole, id, fields()),
    frame(RST_STREAM, 0, id, cancel),
  ])
  socket.write(Buffer.concat([preface(), ...resets]))
  await frames
  t.ok(count < 2000, `${count} requests were handled`)
  t.match(await fetchOver(session(), {}), { status: 200, body: 'hello' })
})
