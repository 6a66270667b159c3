import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { converse, parseAnswer } from 'test-kit/raw'
import { plainServer } from '../../src/ports/plain-server.ts'
import { openPorts, platformHost, routingOf } from '../fixtures/ports.ts'

const none = routingOf({ states: {} })
const chunked = `POST / HTTP/1.1\r\nHost: ${platformHost}\r\nTransfer-Encoding: chunked\r\n`

/** @param changes of the parser's errors */
async function dial(t: Test, listener: RequestListener, changes: object = {}) {
  const { routing, server } = plainServer(listener)
  const refuse = (error: Error, socket: object) =>
    void server.emit('clientError', Object.assign(error, changes), socket)
  return (await openPorts(t, () => none, routing, { refuse })).dial()
}

t.test('a client that expects a 100 gets it, and sends its body then', async (t) => {
  const socket = await dial(t, async (request, response) => void response.end(await text(request)))
  socket.setEncoding('latin1').write(`${chunked}Connection: close\r\nExpect: 100-continue\r\n\r\n`)
  t.equal((await once(socket, 'data'))[0], 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('3\r\nabc\r\n0\r\n\r\n')
  t.match(await text(socket), /^HTTP\/1\.1 200 .*abc$/s)
})

t.test('a body that breaks off fails for its reader, and ends the connection', async (t) => {
  const requests = new EventEmitter()
  const listeners: RequestListener[] = [
    (request) => void text(request).catch((error) => requests.emit('ended', error.message)),
    (request) => void request.once('close', () => requests.emit('ended', 'unread')),
  ]
  for (const [index, message] of [/^Parse Error/, 'unread'].entries()) {
    const socket = await dial(t, listeners[index] as RequestListener)
    const ended = once(requests, 'ended')
    socket.write(`${chunked}\r\n3\r\nabc\r\nrubbish`)
    t.match(await ended, [message])
    t.equal(await text(socket), '')
  }
})

t.test('what the parser rejects gets a status, after the responses that are pending', async (t) => {
  const long = `GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(20_000)}`
  for (const [bytes, status] of Object.entries({ rubbish: 400, [long]: 431 })) {
    const socket = await dial(t, () => t.fail('there is no request'))
    t.equal(parseAnswer(await converse(socket, `${bytes}\r\n\r\n`)).status, status)
  }
  const late = await dial(t, () => t.fail('there is no request'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  t.equal(parseAnswer(await converse(late, 'rubbish\r\n\r\n')).status, 408)
  const socket = await dial(t, async (_request, response) => {
    response.write('first, ')
    await setImmediate()
    response.end('second')
  })
  const both = `GET / HTTP/1.1\r\nHost: ${platformHost}\r\n\r\nrubbish Connection: close\r\n\r\n`
  const received = await converse(socket, both)
  t.match(received, /^HTTP\/1\.1 200 OK.*first, .*second\r\n0\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n$/s)
})
