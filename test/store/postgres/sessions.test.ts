import pg from 'pg'
import t from 'tap'
import { PAGE_SIZE } from '../../../store/page.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { isTransient } from '../../../store/postgres/faults.ts'
import { migrate } from '../../../store/postgres/migrate.ts'
import { openSessions, withDeadline } from '../../../store/postgres/sessions.ts'
import { listOf } from '../../fixtures/list.ts'
import { database } from '../../fixtures/postgres/database.ts'
import { insert, json, migratedDatabase, storeAt, TIMEOUT_MS } from '../../fixtures/postgres/orders.ts'
import { proxyTo, through } from '../../fixtures/postgres/proxy.ts'

const countOf = async (store: ReturnType<typeof storeAt>) =>
  (await store.list()).reduce((sum, { count }) => sum + count, 0)

t.test('the limits of the store override those of the role', async (t) => {
  const db = await migratedDatabase(t)
  await db.query(insert, [1, 40 * PAGE_SIZE])
  for (const limit of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])
    await db.query(`ALTER DATABASE ${db.name} SET ${limit} = '1ms'`)
  await db.query(`ALTER DATABASE ${db.name} SET default_transaction_isolation = 'repeatable read'`)
  const store = storeAt(t, db.url)
  t.equal(await countOf(store), 40 * PAGE_SIZE)
  t.equal(await store.cancel(1n), 'cancelled')
})

t.test('errors of transactions, locks and the operator are transient, others are not', async (t) => {
  const isTransientCode = (code: string) => isTransient(Object.assign(new pg.DatabaseError('', 0, 'error'), { code }))
  for (const code of ['25P03', '25P04', '25006', '55P03', '57014', '57P05', '40001'])
    t.equal(isTransientCode(code), true, code)
  for (const code of ['23514', '42883', 'P0001']) t.equal(isTransientCode(code), false, code)
})

t.test('behind a pooler that rejects settings, sessions have those of the role', async (t) => {
  const db = await database(t)
  const { port } = await proxyTo(t, db.port, { isPooler: true })
  const url = through(db, port)
  await migrate(parseConnectionString(url, {}))
  await db.query(insert, [1, 3])
  const store = storeAt(t, url)
  t.equal(await store.cancel(2n), 'cancelled')
  t.equal(await listOf(store), json(1, 3))
})

t.test('the next host is tried at once, and all of them until the deadline', async (t) => {
  const db = await migratedDatabase(t)
  const store = storeAt(t, db.url.replace(/@([^/]*)/, '@127.0.0.1:1,$1'))
  t.equal(await store.cancel(1n), 'not_found')
  await t.rejects(storeAt(t, db.url.replace(/@([^/]*)/, '@127.0.0.1:1,127.0.0.1:1'), { timeout: 100 }).ping(), {
    name: 'StoreUnavailableError',
  })
})

t.test('a long task may outlast its deadline, any other may not', async (t) => {
  const db = await database(t)
  const connection = parseConnectionString(db.url, {})
  const sessions = openSessions({ connection, poolSize: 2, timeout: TIMEOUT_MS })
  t.teardown(sessions.close)
  const run = (isLong: boolean) => {
    const deadline = performance.now() + 50
    return sessions.run(
      async ({ query }) => {
        await withDeadline(deadline, new Promise(() => {})).catch(() => {})
        return query({ text: "SELECT 'late' AS came FROM pg_sleep(0.05)" })
      },
      { isLong, deadline },
    )
  }
  t.strictSame(await run(true), [{ came: 'late' }])
  await t.rejects(run(false), { name: 'StoreUnavailableError' })
})

t.test('functions of schemas earlier in the search path are not called', async (t) => {
  const db = await migratedDatabase(t)
  await db.query(`CREATE SCHEMA evil;
    CREATE AGGREGATE evil.count(*) (sfunc = int8dec, stype = bigint, initcond = 0);
    CREATE AGGREGATE evil.count(bigint) (sfunc = int8pl, stype = bigint, initcond = 0);
    ALTER DATABASE ${db.name} SET search_path = evil, pg_catalog`)
  await db.query(insert, [1, 3])
  const store = storeAt(t, db.url)
  t.equal(await countOf(store), 3)
  await Promise.all([store.cancel(1n), store.cancel(2n)])
  t.equal(await countOf(store), 1)
  t.match(await store.countByStatus(), { cancelled: 2 })
})
