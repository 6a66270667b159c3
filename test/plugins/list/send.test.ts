import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { send } from '../../../plugins/list/send.ts'

t.test('slowly read chunks arrive completely and in order', async (t) => {
  const chunks = Array.from({ length: 500 }, (_, index) => Buffer.alloc(50_000, index))
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 500 * 50_000 })
    send(response, chunks)
    t.ok(response.writableLength < 500 * 50_000 - 16 * 50_000, 'what the reader does not take yet is not written')
  }).listen(0)
  t.teardown(() => server.close())
  const [response] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [
    IncomingMessage,
  ]
  const received: Buffer[] = []
  for await (const chunk of response) {
    received.push(chunk)
    if (received.length % 50 === 0) await new Promise(setImmediate)
  }
  t.ok(Buffer.concat(received).equals(Buffer.concat(chunks)))
})

t.test('no chunks end the response at once', async (t) => {
  const server = createServer((_request, response) => send(response, [])).listen(0)
  t.teardown(() => server.close())
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.equal(await response.text(), '')
})
