import timers from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { freePort } from 'test-kit/ports'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'

t.test('the pauses between attempts double, up to a second', async (t) => {
  const pauses: number[] = []
  const setTimeout = async (ms: number) => {
    if (pauses.push(ms) === 8) sessions.stopRetries()
  }
  const { openSessions } = await t.mockImport<typeof import('../../../store/postgres/sessions.ts')>(
    '../../../store/postgres/sessions.ts',
    { 'node:timers/promises': { ...timers, setTimeout } },
  )
  const host = `127.0.0.1:${await freePort()}`
  const connection = parseConnectionString(`postgres://user@${host},${host}/db`, {})
  const attempts = t.capture(pg.Client.prototype, 'connect', pg.Client.prototype.connect)
  const sessions = openSessions({ connection, poolSize: 1, timeout: 3_600_000 })
  t.teardown(sessions.close)
  const running = sessions.run(async () => {})
  await t.rejects(running, { name: 'StoreUnavailableError' })
  t.strictSame(pauses, [20, 40, 80, 160, 320, 640, 1000, 1000])
  t.equal(attempts().length, 16, 'each after both hosts')
})
