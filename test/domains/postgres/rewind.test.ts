// Databases that go back: a standby without the last changes is promoted, or a backup is restored under running servers.
import pg from 'pg'
import t, { type Test } from 'tap'
import { responds, until } from 'test-kit/until'
import { domainTables } from '../../../domains/postgres/tables.ts'
import { loadDomainState } from '../../../packages/custom-domains/src/state/domain-state.ts'
import { domainOf } from '../../../packages/custom-domains/test/fixtures/domains.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { migrate } from '../../../store/postgres/migrate.ts'
import { createCluster } from '../../postgres/cluster.js'
import { migratedDatabase } from '../../postgres/orders.ts'
import { proxyTo } from '../../postgres/proxy.ts'
import { instanceOn } from './database.ts'

async function sessionOn(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end().catch(() => {}))
  return client
}

type Instance = Awaited<ReturnType<typeof joined>>

/** An instance that serves, with the state on its storage. */
async function joined(t: Test, url: string) {
  const storage = await instanceOn(t, url)
  const lost: string[][] = []
  const state = await loadDomainState(storage, domainOf, { onRewound: (hosts) => void lost.push(hosts.sort()) })
  await storage.shared.join({ onChange: state.reload, onLeadership() {} })
  return {
    ...storage.shared,
    lost,
    served: () => [...state.current().domains.keys()].sort(),
    change: (added: string[], removed: string[] = []) =>
      state.commit(({ domains }) => {
        for (const host of added) domains.set(host, domainOf(host))
        for (const host of removed) domains.delete(host)
      }),
  }
}

/** Waits until each serves these domains. */
async function serve(instances: readonly Instance[], hosts: readonly string[]) {
  await until(() => instances.every(({ served }) => String(served()) === String(hosts)))
}

t.test('after a failover that loses changes, every instance serves what the new primary has', async (t) => {
  const primary = await createCluster({ settings: ['fsync=off', 'max_connections=40', 'wal_level=replica'] })
  t.teardown(() => primary.remove())
  await primary.start()
  await migrate(parseConnectionString(primary.url(), {}), { others: [domainTables] })
  const session = await sessionOn(t, primary.url())
  const replication = await proxyTo(t, primary.port)
  const source = `primary_conninfo=host=127.0.0.1 port=${replication.port} user=postgres`
  const standby = await primary.standby((sql) => session.query(sql), [source])
  t.teardown(() => standby.remove())
  await standby.start()
  const url = primary.url().replace(`:${primary.port}`, `:${primary.port},127.0.0.1:${standby.port}`)
  const [one, two] = [await joined(t, url), await joined(t, url)]
  await one.change(['a.shop.test', 'b.shop.test'])
  await two.change(['c.shop.test'])
  const { rows } = await session.query('SELECT pg_current_wal_lsn()::text AS lsn')
  const replica = await sessionOn(t, standby.url())
  await until(async () => {
    const replayed = await replica.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done', [rows[0].lsn])
    return replayed.rows[0].done
  })
  replication.open = false

  await one.change(['lost1.shop.test'])
  await one.change(['lost2.shop.test'], ['a.shop.test'])
  await one.change(['lost3.shop.test'])
  await serve([one, two], ['b.shop.test', 'c.shop.test', 'lost1.shop.test', 'lost2.shop.test', 'lost3.shop.test'])

  await primary.stop('immediate')
  await replica.query('SELECT pg_promote()')
  await until(() => responds(one.change([], ['b.shop.test'])))
  await one.whenAcknowledged()
  await serve([one, two], ['a.shop.test', 'c.shop.test'])
  const lost = ['a.shop.test', 'lost1.shop.test', 'lost2.shop.test', 'lost3.shop.test']
  t.strictSame(one.lost, [lost])
  t.equal(two.lost.length, 1)
  t.ok(lost.every((host) => two.lost[0]?.includes(host)))
  t.strictSame([one.isCurrent(), two.isCurrent()], [true, true])
  await two.change(['d.shop.test', 'e.shop.test', 'f.shop.test', 'g.shop.test'])
  await two.whenAcknowledged()
  t.strictSame(one.served(), two.served())
})

t.test('after a restore, whatever the number of changes since, every running instance serves it', async (t) => {
  const db = await migratedDatabase(t)
  const [one, two] = [await joined(t, db.url), await joined(t, db.url)]
  await one.change(['a.shop.test', 'b.shop.test'])
  const tables = ['domain_saves', 'domain_records', 'domain_secrets', 'domain_leader', 'domain_instances']
  for (const name of tables) await db.query(`CREATE TABLE backup_${name} AS SELECT * FROM store_orders.${name}`)
  const restore = async () => {
    await db.query('BEGIN')
    for (const name of tables)
      await db.query(`DELETE FROM store_orders.${name}; INSERT INTO store_orders.${name} SELECT * FROM backup_${name}`)
    await db.query('COMMIT')
  }
  await one.change(['lost.shop.test'], ['a.shop.test'])
  await serve([one, two], ['b.shop.test', 'lost.shop.test'])
  await restore()
  const three = await joined(t, db.url)
  await three.change(['new.shop.test']) // as many as were lost
  await three.whenAcknowledged()
  await serve([one, two, three], ['a.shop.test', 'b.shop.test', 'new.shop.test'])
  const lost = ['a.shop.test', 'lost.shop.test']
  // One that reads everything only after the change says that this domain is another, too.
  const told = [one, two, three].map((each) =>
    each.lost.map((hosts) => hosts.filter((host) => host !== 'new.shop.test')),
  )
  t.strictSame(told, [[lost], [lost], []])
})
