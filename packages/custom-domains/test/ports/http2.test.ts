import t from 'tap'
import {
  END_HEADERS,
  END_STREAM,
  fetchOver,
  fields,
  frame,
  framesOf,
  GOAWAY,
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
  const nameless = frame(HEADERS, END_HEADERS | END_STREAM, 1, fields().subarray(0, 3))
  socket.write(Buffer.concat([preface(), nameless, frame(GOAWAY, 0, 0, Buffer.alloc(8))]))
  t.notOk((await frames).some(({ type }) => type === HEADERS))
  t.strictSame(refused, [])
})
