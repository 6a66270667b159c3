// Databases that go back: a backup is restored under running servers.
import t, { type Test } from 'tap'
import { until } from 'test-kit/until'
import { loadDomainState } from '../../../packages/custom-domains/src/state/domain-state.ts'
import { domainOf } from '../../../packages/custom-domains/test/fixtures/domains.ts'
import { migratedDatabase } from '../../postgres/orders.ts'
import { instanceOn } from './database.ts'

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
