import { chmod } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { listeningConnections } from '../../../domains/postgres/listening-connections.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { database } from '../../postgres/database.ts'
import { as, scramRole } from '../../postgres/roles.ts'

t.test('the connection that listens has the password of the password file, without a warning', async (t) => {
  const db = await database(t)
  await scramRole(db)
  const file = `${t.testdir({ passwords: `127.0.0.1:${db.port}:${db.name}:scram:right\n` })}/passwords`
  await chmod(file, 0o600)
  process.env.PGPASSFILE = file
  t.teardown(() => delete process.env.PGPASSFILE)
  const warnings: string[] = []
  const collect = ({ message }: Error) => warnings.push(message)
  process.on('warning', collect)
  t.teardown(() => process.off('warning', collect))
  const connection = parseConnectionString(as(db.url, 'scram'), {})
  const listening = await listeningConnections(connection)()
  await listening.release()
  t.strictSame(warnings, [])
})
