import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { API_KEYS, startServer } from '../fixtures/process.ts'

t.test('what is in progress at the end of a SHUTDOWN_DELAY of more than ten seconds is completed', async (t) => {
  const server = startServer(t, { API_KEYS, SHUTDOWN_DELAY: '11' })
  const socket = connect(await server.port(), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('DELETE /v1/store/orders/7 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n')
  server.child.kill('SIGTERM')
  await sleep(13_000)
  t.equal(server.child.exitCode, null)
  socket.write('.')
  t.equal(await server.ended, 0)
})
