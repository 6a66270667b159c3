import process from 'node:process'
import t from 'tap'
import { until } from 'test-kit/until'
import { listeningConnections } from '../../../domains/postgres/listening-connections.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { as, database, scramRole, usePasswordFile } from '../../postgres/database.ts'

t.test('the connection that listens has the password of the password file, without a warning', async (t) => {
  const db = await database(t)
  await scramRole(db)
  const warnings = await usePasswordFile(t, `127.0.0.1:${db.port}:${db.name}:scram:right\n`)
  const connection = parseConnectionString(as(db.url, 'scram'), {})
  const listening = await listeningConnections(connection)()
  await listening.release()
  t.strictSame(warnings, [])
})

t.test('each connection that listens is to the next of several hosts', async (t) => {
  const db = await database(t)
  const connect = listeningConnections(parseConnectionString(db.url.replace('@', '@127.0.0.1:1,'), {}))
  for (const _round of [1, 2]) {
    await t.rejects(connect(), { code: 'ECONNREFUSED' })
    const connection = await connect()
    t.match(connection, { _connectionTimeoutMillis: 5_000 }, 'and gives up after five seconds')
    await connection.release()
  }
})

t.test('a connection that gives up before the server does is closed', async (t) => {
  const db = await database(t)
  await scramRole(db)
  const connection = parseConnectionString(as(db.url, 'scram'), {})
  const open = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const before = open()
  await t.rejects(listeningConnections(connection)(), { message: 'no password is configured' })
  await until(() => open() === before)
})
