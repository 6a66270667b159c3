import { EventEmitter, once } from 'node:events'
import t from 'tap'
import {
  END_HEADERS,
  END_STREAM,
  fetchOver,
  fields,
  frame,
  framesOf,
  HEADERS,
  h2,
  openSession,
  preface,
} from 'test-kit/http2'
import { openPorts, routingOf } from '../fixtures/ports.ts'

const host = 'docs.shop.test'
const live = routingOf({ states: { [host]: 'live', 'also.shop.test': 'live' } })

t.test(':authority and Host name the host of the handshake', async (t) => {
  const { dialSecurely } = await openPorts(t, () => live)
  const session = openSession(t, dialSecurely(host, h2), host)
  const names: [headers: Record<string, string>, status: number][] = [
    [{ ':authority': host }, 200],
    [{ ':authority': `${host.toUpperCase()}.:443` }, 200],
    [{ host }, 200],
    [{ ':authority': host, host: 'DOCS.shop.test' }, 200],
    [{ ':authority': 'also.shop.test' }, 421],
    [{ ':authority': 'unknown.test' }, 421],
    [{ host: 'also.shop.test' }, 421],
    [{ ':authority': host, host: 'also.shop.test' }, 400],
    [{ ':authority': 'also.shop.test', host }, 400],
    [{ ':authority': '-' }, 400],
  ]
  for (const [headers, status] of names)
    t.equal((await fetchOver(session, headers)).status, status, String(Object.entries(headers)))
})

t.test('a request without :authority and Host is reset', async (t) => {
  const { dialSecurely, refused } = await openPorts(t, () => live)
  const socket = dialSecurely(host, h2)
  const frames = framesOf(socket)
  const nameless = fields().subarray(0, 3)
  socket.write(
    Buffer.concat([preface(), frame(HEADERS, END_HEADERS | END_STREAM, 1, nameless), frame(7, 0, 0, Buffer.alloc(8))]),
  )
  t.notOk((await frames).some(({ type }) => type === HEADERS))
  t.strictSame(refused, [])
})

t.test('closing completes pending responses, and ends idle sessions', async (t) => {
  const arrivals = new EventEmitter()
  const { dialSecurely, close } = await openPorts(
    t,
    () => live,
    async (_request, response) => void arrivals.emit('request', response),
    { graceMs: 60_000 },
  )
  const idle = openSession(t, dialSecurely(host, h2), host)
  await once(idle, 'remoteSettings')
  const busy = openSession(t, dialSecurely(host, h2), host)
  const arrived = once(arrivals, 'request')
  const answered = fetchOver(busy, {})
  const [response] = await arrived
  const ended = [idle, busy].map((session) => once(session, 'close'))
  response.write('begun, ')
  const closed = close()
  await once(busy, 'goaway')
  response.end('ended')
  t.match(await answered, { status: 200, body: 'begun, ended' })
  await Promise.all([...ended, closed])
})

t.test('closing waits no longer than the grace period for an unread stream', async (t) => {
  const { dialSecurely, close } = await openPorts(
    t,
    () => live,
    async (_request, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)),
    { graceMs: 20 },
  )
  const session = openSession(t, dialSecurely(host, h2), host)
  const stream = session.request({})
  stream.on('error', () => {})
  await once(stream, 'response')
  await t.resolves(close())
})
