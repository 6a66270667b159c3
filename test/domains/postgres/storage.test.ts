import t, { type Test } from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { until } from 'test-kit/until'
import { cipherOf } from '../../../packages/custom-domains/src/postgres/cipher.ts'
import { as, type Database, database, roleIn } from '../../postgres/database.ts'
import { migratedDatabase } from '../../postgres/orders.ts'
import { proxyTo, through } from '../../postgres/proxy.ts'
import { encryptionKey, type InstanceOptions, instanceOn } from './database.ts'

const host = 'docs.shop.test'
const leadershipLost = { message: 'another instance now obtains the certificates' }

/** An instance that has loaded the domains and takes part. */
async function joined(t: Test, url: string, options?: InstanceOptions) {
  const instance = await instanceOn(t, url, options)
  await instance.hosts()
  await instance.join()
  return instance
}

/** A database, and a proxy to it. */
async function proxied(t: Test) {
  const db = await migratedDatabase(t)
  const proxy = await proxyTo(t, db.port)
  return { db, proxy, url: through(db, proxy.port) }
}

/** Lets another instance take over from one that was paused for long and does not know it yet when it writes. */
async function takeOver(db: Database, write: () => Promise<unknown>): Promise<void> {
  await db.query('BEGIN')
  await db.query(
    "UPDATE store_orders.domain_leader SET holder = gen_random_uuid(), fence = fence + 1, expires = now() + interval '1 hour'",
  )
  await Promise.all([write(), db.query('COMMIT')])
}

t.test('one instance leads at a time, and any instance can delete a key', async (t) => {
  const db = await migratedDatabase(t)
  const [one, two] = [await instanceOn(t, db.url), await instanceOn(t, db.url)]
  for (const each of [one, two]) await each.hosts()
  await t.rejects(one.change([host], [], true), leadershipLost)
  await t.rejects(one.saveSecret('certificate', host, 'one'), leadershipLost)
  await one.join()
  await two.join()
  t.strictSame([one.events, two.events], [['leads'], []])
  await one.saveSecret('certificate', host, 'one')
  await t.rejects(two.saveSecret('certificate', host, 'two'), leadershipLost)
  await two.replaceSecret('certificate', host, 'two', 'two')
  t.equal(await one.loadSecret('certificate', host), 'one')
  await two.replaceSecret('certificate', host, 'one', 'without its key')
  t.equal(await one.loadSecret('certificate', host), 'without its key')
  await one.close()
  t.equal((await db.query('SELECT 1 FROM store_orders.domain_instances')).length, 1, 'a closed one takes no part')
})

type Instance = Awaited<ReturnType<typeof instanceOn>>
const lateWrites: Record<string, (leader: Instance) => Promise<unknown>> = {
  'changes a domain': (leader) => leader.change([host], [], true),
  'deletes an order': (leader) => leader.saveSecret('order', host, undefined),
  'replaces an order': (leader) => leader.saveSecret('order', host, 'late'),
}
for (const [what, write] of Object.entries(lateWrites)) {
  t.test(`a previous leader that ${what} gets an error`, async (t) => {
    const db = await migratedDatabase(t)
    const leader = await joined(t, db.url)
    await leader.saveSecret('order', host, 'order')
    const late = () => write(leader)
    await t.rejects(takeOver(db, late), leadershipLost)
    t.equal(await leader.loadSecret('order', host), 'order')
    t.strictSame([await leader.hosts(), leader.events], [[], ['leads', 'no longer leads']])
    await leader.change([host]) // any instance may save a user's change
  })
}

t.test('a change is not acknowledged while an instance that has its lease serves something older', async (t) => {
  const db = await migratedDatabase(t)
  const [one, two] = [await joined(t, db.url), await joined(t, db.url)]
  await db.query(
    "INSERT INTO store_orders.domain_instances VALUES (gen_random_uuid(), gen_random_uuid(), clock_timestamp() + interval '1 hour')",
  )
  let isAcknowledged = false
  await one.change([host])
  const acknowledged = one.shared.whenAcknowledged().then(() => {
    isAcknowledged = true
  })
  await until(() => two.events.includes('change'))
  t.equal(isAcknowledged, false, 'one instance has not acknowledged it')
  await db.query(
    "UPDATE store_orders.domain_instances SET expires = 'epoch' WHERE expires > clock_timestamp() + interval '1 minute'",
  )
  await acknowledged
})

t.test('a save whose response is lost is applied once', async (t) => {
  const { db, proxy, url } = await proxied(t)
  const one = await instanceOn(t, url)
  await one.hosts()
  proxy.cutAnswer((result) => result.includes('revision'))
  await one.change([host])
  t.strictSame(await db.query('SELECT max(revision) AS revision FROM store_orders.domain_saves'), [{ revision: '1' }])
  await one.change([], [host])
  t.strictSame(await one.hosts(), [])
})

t.test('no private key is readable in any table, and a server names the encryption key that it lacks', async (t) => {
  const db = await migratedDatabase(t)
  const pem = await makeCertificate(host)
  t.match(pem, 'PRIVATE KEY')
  const one = await joined(t, db.url)
  await one.change([host])
  await one.replaceSecret('account', 'https://ca.test', undefined, pem)
  await one.saveSecret('order', host, JSON.stringify({ key: pem }))
  await one.saveSecret('certificate', host, pem)
  const tables = await db.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'store_orders'",
  )
  t.ok(tables.length > 4)
  for (const { name } of tables) {
    for (const row of await db.query<Record<string, unknown>>(`SELECT * FROM ${name}`)) {
      for (const value of Object.values(row))
        t.notMatch(Buffer.isBuffer(value) ? value.toString('latin1') : String(value), /PRIVATE|BEGIN/, name)
    }
  }

  const missing = (name: string) => `${name} is encrypted with a key that is not among the encryption keys`
  const without = await instanceOn(t, db.url, { encryptionKeys: [Buffer.alloc(32, 8)] })
  await t.rejects(without.hosts(), {
    message: `the domains in PostgreSQL cannot be read: ${missing('account https://ca.test')}`,
  })
  await t.rejects(without.loadSecret('order', host), { message: missing(`order ${host}`) })
  t.equal(await one.loadSecret('order', host), JSON.stringify({ key: pem }))
})

t.test('a new key encrypts once every live instance has it, and then everything that the former one has', async (t) => {
  const db = await migratedDatabase(t)
  const [former, next] = [encryptionKey, Buffer.alloc(32, 8)]
  const [[formerId], [nextId]] = [cipherOf([former]).ids, cipherOf([next]).ids]
  const keysInUse = async () => {
    const ids = "SELECT DISTINCT encode(substring(value FROM 1 FOR 4), 'hex') AS key FROM store_orders.domain_secrets"
    return (await db.query<{ key: string }>(ids)).map(({ key }) => key)
  }
  const one = await joined(t, db.url)
  await one.replaceSecret('account', 'https://ca.test', undefined, 'account')
  const two = await joined(t, db.url, { encryptionKeys: [next, former] })
  await two.replaceSecret('account', 'https://other.test', undefined, 'other')
  t.strictSame(await keysInUse(), [formerId], 'one instance lacks the new key')
  await one.close()
  await until(() => two.reported.length > 0)
  t.strictSame(await keysInUse(), [nextId])
  t.strictSame(two.reported, [`all private keys are now encrypted with the key ${nextId}, which every instance has`])
})

t.test('an instance that has missed very many changes loads everything', async (t) => {
  const db = await migratedDatabase(t)
  const one = await instanceOn(t, db.url)
  await one.hosts()
  await one.change([host, 'other.shop.test'])
  const { version } = await one.load()
  await one.change([], [host])
  const [deleted] = (await one.load(version)).records
  t.match(deleted, { kind: 'domain', name: host, value: undefined })
  await db.query('INSERT INTO store_orders.domain_saves (revision) VALUES (20000)')
  const deletions = () => db.query('SELECT name FROM store_orders.domain_records WHERE value IS NULL')
  t.strictSame(await deletions(), [{ name: host }])
  await one.hosts()
  await one.join()
  await until(async () => (await deletions()).length === 0)
  const { isWhole, records } = await one.load(version)
  t.strictSame([isWhole, records.map(({ name }) => name)], [true, ['other.shop.test']])
})

t.test('a database that needs its operator is rejected with what to do', async (t) => {
  const loading = async (url: string) => (await instanceOn(t, url)).hosts()
  const refused = (reason: string | RegExp) => ({
    name: 'Error',
    message: reason instanceof RegExp ? reason : `the domains in PostgreSQL cannot be read: ${reason}`,
  })
  await t.rejects(loading((await database(t)).url), refused('there is no schema yet. Run: store-orders migrate'))
  const db = await migratedDatabase(t)
  const role = await roleIn(t, db, 'reader')
  await db.query(`GRANT USAGE ON SCHEMA store_orders TO ${role}; GRANT SELECT ON store_orders.migrations TO ${role}`)
  await t.rejects(
    loading(as(db.url, role)),
    refused(new RegExp(`: permission denied for table domain_secrets. Run: store-orders migrate --grant ${role}$`)),
  )
})

t.test('an unreachable database is not rejected, and is read once it has recovered', async (t) => {
  const { proxy, url } = await proxied(t)
  proxy.open = false
  const one = await instanceOn(t, url, { timeout: 300 })
  await t.rejects(one.hosts(), { name: 'StorageUnavailableError', retryAfterSeconds: 2 })
  proxy.open = true
  let hosts: unknown
  while (hosts === undefined) hosts = await one.hosts().catch(() => undefined)
  t.strictSame(hosts, [])
})
