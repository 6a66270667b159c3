import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { until } from 'test-kit/until'
import { as, database, roleIn } from '../../../../test/postgres/database.ts'
import { createTables, lackedKey, missingPrivileges, missingTables, postgresStorage } from '../../src/postgres/index.ts'
import { storageIn } from '../../src/postgres/storage.ts'
import { fakeClock } from '../fixtures/clock.ts'
import { domainOf } from '../fixtures/domains.ts'
import { encryptionKeys, poolAt, storageAt } from './pool.ts'

const host = 'docs.shop.test'
const listening = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()"

t.test('instances that share a pg.Pool each learn of a change, also after their connections were lost', async (t) => {
  const db = await database(t)
  const [one, two] = [await storageAt(t, db.url), await storageAt(t, db.url)]
  const { version } = await one.load()
  await two.load()
  let changes = 0
  const onChange = async () => {
    changes++
    await two.load()
  }
  await two.shared.join({ onChange, onLeadership() {} })
  await until(async () => (await db.query(listening)).length === 1)
  const next = await one.save([{ kind: 'domain', name: host, value: domainOf(host) }], version)
  await until(() => changes === 1)
  const others = 'pid <> pg_backend_pid() AND usename IS NOT NULL AND datname = current_database()'
  await db.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE ${others}`)
  await until(async () => (await db.query(listening)).length === 1)
  await one.save([{ kind: 'domain', name: host, value: undefined }], next)
  await until(() => changes === 2)
  await one.shared.whenAcknowledged()
})

t.test('the leader encrypts what an older key has encrypted, and needs no report', async (t) => {
  const db = await database(t)
  const former = await storageAt(t, db.url)
  const listener = { onChange: async () => {}, onLeadership() {} }
  await former.load()
  await former.shared.join(listener)
  const leases = ['instances', 'leader']
    .map((name) => `SELECT expires FROM custom_domains.domain_${name}`)
    .join(' UNION ')
  const [lease] = await db.query(
    `SELECT max(expires) <= clock_timestamp() + interval '10 s' AS "isShort" FROM (${leases}) AS leases`,
  )
  t.strictSame(lease, { isShort: true }, 'another instance leads within ten seconds')
  await former.saveSecret('account', host, 'secret')
  await former.close()
  const newKey = Buffer.alloc(32, 8)
  const next = postgresStorage(poolAt(t, db.url), { encryptionKeys: [newKey, ...encryptionKeys] })
  t.teardown(next.close)
  await next.load()
  await next.shared.join(listener)
  const keys = (encryptionKeys: Buffer[]) => lackedKey(poolAt(t, db.url), { encryptionKeys })
  await until(async () => (await keys([newKey])) === undefined)
  t.equal(await keys(encryptionKeys), `account ${host}`)
})

const unreadable = (reason: string) => ({
  name: 'Error',
  message: `the domains in PostgreSQL cannot be read: ${reason}`,
})

t.test('tables are created once, by any number of instances at once, and a role gets what it needs', async (t) => {
  const db = await database(t)
  const pools = Array.from({ length: 4 }, () => poolAt(t, db.url))
  const [owner] = pools as [(typeof pools)[number]]
  t.equal((await missingTables(owner)).length, 5)
  const role = await roleIn(t, db, 'instance')
  const storage = postgresStorage(poolAt(t, as(db.url, role)), { encryptionKeys })
  const absent = 'relation "custom_domains.domain_secrets" does not exist. Create it with createTables'
  await t.rejects(storage.load(), unreadable(absent))
  await Promise.all(pools.map((pool) => createTables(pool)))
  t.strictSame([await missingTables(owner), await missingPrivileges(owner)], [[], []])
  t.match(await missingPrivileges(owner, { role }), ['DELETE on custom_domains.domain_instances'])
  const grant = 'Grant it with createTables, whose option `grant` names the role'
  await t.rejects(storage.load(), unreadable(`permission denied for schema custom_domains. ${grant}`))
  await createTables(owner, { grant: role })
  t.strictSame(await missingPrivileges(owner, { role }), [])
  const { version } = await storage.load()
  await storage.save([{ kind: 'primary', name: '', value: host }], version)
  await createTables(owner)
  t.match((await storage.load()).records, [{ kind: 'primary', value: host }], 'nothing is lost by another call')
})

/** A database that responds with the same state to everything, and has no value that a key is missing for. */
function databaseOf(state: object, statements: string[] = []) {
  const row = { save: 'one', whole: true, kind: null, server: '', key: null }
  async function query({ text }: { text: string }) {
    statements.push(text)
    return { rows: text.startsWith('SELECT kind, name') ? [] : [{ ...row, ...state }] }
  }
  return { query, connect: () => Promise.reject(new Error('none')) }
}

t.test('a state is rewound if a save that it lacks would still be known', async (t) => {
  for (const revision of ['20000', '20001']) {
    const state = { revision: '10000' }
    const storage = postgresStorage(databaseOf(state), { encryptionKeys })
    const { version } = await storage.load()
    state.revision = revision
    t.equal((await storage.load(version)).isRewound, revision === '20000' ? true : undefined)
  }
})

t.test('what is no longer needed is deleted once every thousand changes, by the leader', async (t) => {
  for (const [revision, token, deletions] of [
    ['999', '1', 0],
    ['1000', '1', 1],
    ['1000', null, 0],
  ] as const) {
    const clock = { ...fakeClock(), sleep: async () => {} }
    const statements: string[] = []
    const storage = storageIn(databaseOf({ revision, token }, statements), { encryptionKeys }, clock)
    await storage.load()
    await storage.shared.join({ onChange: async () => {}, onLeadership() {} })
    await clock.pass(10_000, () => setImmediate())
    await storage.close()
    t.equal(statements.filter((text) => text.includes('DELETE FROM "custom_domains".domain_records')).length, deletions)
    t.equal(clock.waiting(), 0, 'no timer is left')
  }
})

t.test('a role may have any name, and a schema 41 characters', async (t) => {
  const statements: string[] = []
  await createTables(databaseOf({}, statements), { grant: 'a"b', schema: 'a'.repeat(41) })
  t.match(statements, [/GRANT USAGE ON SCHEMA "a{41}" TO "a""b";/])
})

t.test('a database that is unreachable, or rejects the login, is told apart', async (t) => {
  const db = await database(t)
  const at = (url: string) => postgresStorage(poolAt(t, url), { encryptionKeys })
  await t.rejects(at('postgres://127.0.0.1:1/none').load(), { name: 'StorageUnavailableError', retryAfterSeconds: 2 })
  await t.rejects(at(db.url.replace(db.name, 'none')).load(), unreadable('database "none" does not exist'))
})

t.test('options that cannot be used are rejected at once, by name', async (t) => {
  const pool = poolAt(t, 'postgres://127.0.0.1:1/none')
  for (const [options, message] of [
    [{ encryptionKeys: [] }, 'encryptionKeys must be a list of at least one'],
    [{ encryptionKeys: ['a'.repeat(32)] }, 'encryptionKeys[0] must be a Buffer of 32 bytes'],
    [{ encryptionKeys: [...encryptionKeys, Buffer.alloc(16)] }, 'encryptionKeys[1] must be a Buffer of 32 bytes'],
    [{ schema: 'a'.repeat(42) }, `schema must be a name of lower-case letters, digits and _, not "${'a'.repeat(42)}"`],
    [{ schema: 'my-domains' }, 'schema must be a name of lower-case letters, digits and _, not "my-domains"'],
  ] as const)
    t.throws(() => postgresStorage(pool, { encryptionKeys, ...(options as object) }), { name: 'TypeError', message })
})
