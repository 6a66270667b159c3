import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { API_KEYS, startServer } from '../fixtures/process.ts'

t.test('what is being sent when a SHUTDOWN_DELAY of more than ten seconds ends is completed', async (t) => {
  const orders = Array.from({ length: 1_000_000 }, (_, id) => `{"id":${id},"status":"pending"}\n`)
  const folder = t.testdir({ 'orders.ndjson': orders.join('') })
  const server = startServer(t, { API_KEYS, SHUTDOWN_DELAY: '11', ORDERS_FILE: `${folder}/orders.ndjson` })
  const socket = connect(await server.port(), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.pause().write('GET /v1/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer test-key\r\n\r\n')
  server.child.kill('SIGTERM')
  await sleep(13_000)
  const answer = String(await buffer(socket))
  t.match(answer.slice(-20), '{"id":999999}]')
  t.equal(await server.ended, 0)
  t.match(server.stdout(), /1 served, none aborted/)
})
