import { EventEmitter, once } from 'node:events'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { fetchOver } from 'test-kit/http2'
import { fc } from 'test-kit/properties'
import { writeTracker } from '../../src/ports/slices.ts'
import { startHttp2 } from '../fixtures/start-http2.ts'

const MiB = 1024 * 1024
const MAX_WINDOW = 2 ** 31 - 1

/** The most bytes that a socket has pending at once. */
function mostPending(socket: TLSSocket) {
  let most = 0
  const { write } = socket
  socket.write = (...parameters: unknown[]) => {
    const isOpen = Reflect.apply(write, socket, parameters)
    most = Math.max(most, socket.writableLength)
    return isOpen
  }
  return () => most
}

for (const [name, page] of Object.entries({ bytes: Buffer.alloc(2 * MiB, 'page '), text: 'é'.repeat(MiB) }))
  t.test(`a session has little pending, whatever its windows allow: ${name}`, async (t) => {
    const streams = 20
    let count = 0
    const all = new EventEmitter()
    const { server, session: open } = await startHttp2(t, (_request, response) => {
      response.end(page)
      if (++count === streams) all.emit('begun')
    })
    const connected = once(server, 'secureConnection')
    const session = open()
    const [socket] = await connected
    session.settings({ initialWindowSize: 0 })
    session.setLocalWindowSize(MAX_WINDOW)
    const most = mostPending(socket)
    const begun = once(all, 'begun')
    const answers = Promise.all(Array.from({ length: streams }, () => fetchOver(session, {})))
    await begun
    session.settings({ initialWindowSize: MAX_WINDOW })
    const expected = Buffer.from(page).toString('latin1')
    for (const { body } of await answers) t.ok(body === expected)
    t.ok(most() < 8 * MiB, `${most()} bytes`)
  })

/** Any character: `unit: 'binary'` would list all of them first. */
const character = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))

t.test('responses arrive as they were written', async (t) => {
  const bytes = fc.tuple(fc.nat(255), fc.nat(100_000)).map(([fill, length]) => Buffer.alloc(length, fill))
  const text = fc.string({ unit: character, minLength: 1 })
  const chunk = fc.oneof(
    bytes,
    fc.tuple(text, fc.nat(20_000)).map(([text, times]) => text.repeat(times)),
  )
  let chunks: (Buffer | string)[] = []
  const { session: open } = await startHttp2(t, (_request, response) => {
    for (const each of chunks.slice(0, -1)) response.write(each)
    response.end(chunks.at(-1))
  })
  const session = open()
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 12 }), async (written) => {
      chunks = written
      const { body } = await fetchOver(session, {})
      return body === Buffer.concat(written.map((each) => Buffer.from(each))).toString('latin1')
    }),
    { numRuns: 50 },
  )
})

t.test('beyond the bound of the server, the connection that has kept much for longest is closed', async (t) => {
  const closed: string[] = []
  const trackWrite = writeTracker()
  const writeAs = (name: string, mebibytes: number) =>
    trackWrite({ destroy: () => closed.push(name) as never }, mebibytes * MiB)
  const done = writeAs('done', 40)
  done()
  const writes = [writeAs('small', 1), writeAs('large', 20), writeAs('larger', 30)]
  t.strictSame(closed, [])
  writes.push(writeAs('last', 20))
  t.strictSame(closed, ['large'])
  for (const untrack of writes) untrack()
  writeAs('alone', 64)()
  t.strictSame(closed, ['large'], 'what is done or was closed counts once')
})

t.test('of clients that read nothing, one is disconnected once together they have too much pending', async (t) => {
  const { server, session: open } = await startHttp2(t, (_request, response) => response.end(Buffer.alloc(2 * MiB)))
  // No kernel takes the responses of such a client: only what leads up to them is sent.
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const { write } = socket
    let sent = 0
    socket.write = (chunk: Buffer, ...rest: unknown[]) => {
      sent += chunk.length
      return sent < MiB / 2 && Reflect.apply(write, socket, [chunk, ...rest])
    }
  })
  const sessions = Array.from({ length: 70 }, () => open())
  for (const session of sessions) {
    session.settings({ initialWindowSize: MAX_WINDOW })
    session.once('connect', () => session.setLocalWindowSize(MAX_WINDOW))
    session.request({}).on('error', () => {})
  }
  await t.resolves(Promise.race(sessions.map((session) => once(session, 'close'))))
})
