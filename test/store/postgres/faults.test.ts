import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import t from 'tap'
import { responds, until } from 'test-kit/until'
import { type Statement, statementSent } from '../../../store/channels.ts'
import {
  isOfHost,
  isOfSession,
  isTransient,
  PermanentError,
  permanentReason,
  reasonOf,
} from '../../../store/postgres/faults.ts'
import { as, scramRole, sessionOn } from '../../postgres/database.ts'
import { migratedCluster, openAt, shop, shopBehindProxy, storeAt } from '../../postgres/orders.ts'
import { proxyTo, through } from '../../postgres/proxy.ts'
import { listOf } from '../list.ts'

const reported = (code: string) => Object.assign(new pg.DatabaseError('', 0, 'error'), { code })

t.test('unreachable hosts are skipped', async (t) => {
  const { db, proxy } = await shopBehindProxy(t, 2)
  const broken = await proxyTo(t, db.port)
  broken.open = false
  const store = storeAt(t, through(db, broken.port, proxy.port))
  t.equal(await store.cancel(1n), 'cancelled')
  broken.open = true
  proxy.open = false
  t.equal(await store.cancel(2n), 'cancelled', 'whichever is unreachable')
})

t.test('after a lock timeout, no other statement gets the transaction that has failed', async (t) => {
  const { db, proxy, store } = await shopBehindProxy(t, 1, { timeout: 2000 })
  proxy.splitErrors()
  const locker = await sessionOn(t, db.url)
  await locker.query('BEGIN; LOCK TABLE store_orders.orders')
  const errors: string[] = []
  const record = (statement: unknown) => {
    ;(statement as Statement).result.catch((error) => errors.push(reasonOf(error)))
  }
  subscribe(statementSent.name, record)
  t.teardown(() => unsubscribe(statementSent.name, record))
  const lockTimeouts = () => errors.filter((error) => error.startsWith('another session holds a lock (')).length
  while (lockTimeouts() < 3) await t.rejects(store.list())
  t.notMatch(errors.join('\n'), /transaction is aborted/)
})

t.test('connections to a host that hangs are not used after the first one', async (t) => {
  const { db, proxy } = await shopBehindProxy(t, 4)
  const store = storeAt(t, through(db, proxy.port, db.port), { timeout: 2000 })
  await Promise.all([1n, 2n].map((id) => store.cancel(id)).concat([1, 2, 3].map(() => store.ping() as never)))
  t.ok(proxy.connections() > 2)
  proxy.hold()
  t.equal(await store.cancel(3n), 'cancelled')
  t.equal(await store.cancel(4n), 'cancelled')
})

t.test('a hanging query ends at the deadline, and a later one does not get its result', async (t) => {
  const { proxy, url, store } = await shopBehindProxy(t, 2, { timeout: 2000 })
  await until(() => responds(store.list()))
  proxy.hold()
  const unavailable = { name: 'StoreUnavailableError', retryAfterSeconds: 2 }
  const requests: Promise<unknown>[] = [store.list(), store.hasPet(1n), store.cancel(1n)]
  await Promise.all(requests.map((each) => t.rejects(async () => void (await each), unavailable)))
  proxy.release()
  proxy.drop()
  const patient = storeAt(t, url)
  t.match(await patient.cancel(2n), 'cancelled')
  t.match(await listOf(patient), /^\[({"id":1})?\]$/)
})

t.test('after one connection that died in silence, no other idle one is tried', async (t) => {
  const { db } = await shop(t, 2)
  const use = async (request: 'list' | 'cancel') => {
    const proxy = await proxyTo(t, db.port)
    const store = storeAt(t, through(db, proxy.port), { timeout: 4000 })
    await Promise.all(Array.from({ length: 5 }, () => store.hasPet(1n)))
    t.match(store.connections?.(), { idle: 5 })
    proxy.hold({ later: false }) // as a NAT forgets connections
    const connections = proxy.connections()
    if (request === 'list') t.match(await listOf(store), /^\[(\{"id":1\},)?\{"id":2\}\]$/)
    else t.equal(await store.cancel(1n), 'cancelled')
    t.equal(proxy.connections(), connections + 1)
    t.match(store.connections?.(), { idle: 1, used: 0 }, request)
  }
  await Promise.all([use('list'), use('cancel')]) // each waits until the connection counts as dead
})

t.test('a cancellation that waits for a shipment is rejected once it commits', async (t) => {
  const { db, store } = await shop(t, 3)
  await db.query("BEGIN; UPDATE store_orders.orders SET status = 'shipped' WHERE id = 1")
  const refused = store.cancel(1n)
  t.equal(await store.cancel(3n), 'cancelled')
  await db.query('COMMIT')
  t.equal(await refused, 'already_shipped')
  await db.query("BEGIN; UPDATE store_orders.orders SET status = 'shipped' WHERE id = 2")
  const granted = store.cancel(2n)
  t.equal(await store.cancel(3n), 'already_cancelled')
  await db.query('ROLLBACK')
  t.equal(await granted, 'cancelled')
})

t.test('a cancelled order stays cancelled, whatever another service writes', async (t) => {
  const { db, store } = await shop(t, 1)
  t.equal(await store.cancel(1n), 'cancelled')
  const shipping = db.query("UPDATE store_orders.orders SET status = 'shipped' WHERE id = 1")
  await t.rejects(shipping, { message: 'order 1 has been cancelled', code: '23514' })
  await db.query("UPDATE store_orders.orders SET status = 'shipped' WHERE id = 1 AND status = 'pending'")
  await db.query('UPDATE store_orders.orders SET complete = true WHERE id = 1')
})

t.test('a warning of a trigger does not make a cancellation doubtful', async (t) => {
  const { db, store } = await shop(t, 1)
  await db.query(`CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE WARNING 'canceling wait for synchronous replication due to user request'; RETURN NULL; END $$;
    CREATE TRIGGER warns AFTER UPDATE ON store_orders.orders EXECUTE FUNCTION warn();`)
  t.equal(await store.cancel(1n), 'cancelled')
})

t.test('a commit that may not have reached the standby is retried', async (t) => {
  const { cluster } = await migratedCluster(t, ['fsync=off'])
  const observer = await sessionOn(t, cluster.url())
  const waits = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
  const setStandbys = async (names: string) => {
    await observer.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
    await observer.query('SELECT pg_reload_conf()')
    await until(async () => (await observer.query('SHOW synchronous_standby_names')).rows[0]?.[key] === names)
  }
  const key = 'synchronous_standby_names'
  await observer.query('INSERT INTO store_orders.orders (id) VALUES (1), (2)')
  const store = storeAt(t, `${cluster.url()}&application_name=doubtful`)
  t.equal(await store.cancel(1n), 'cancelled')
  await observer.query('SET synchronous_commit = local')
  await setStandbys('none')
  // Commits wait only once the checkpointer has read the setting, too.
  const writer = await sessionOn(t, cluster.url())
  let [hasWaited, isWritten] = [false, false]
  const write = async () => {
    while (!hasWaited) await writer.query('UPDATE store_orders.orders SET complete = true WHERE id = 1')
    isWritten = true
  }
  const writing = write()
  await until(async () => {
    if ((await observer.query(waits)).rowCount) hasWaited = true
    return isWritten
  })
  await writing
  let isBelieved = false
  const cancelling = store.cancel(2n).finally(() => {
    isBelieved = true
  })
  // The first wait is that of a group, the others are retries.
  for (let cancelled = 0; cancelled < 3 && !isBelieved; ) cancelled += (await observer.query(waits)).rowCount ?? 0
  t.equal(isBelieved, false)
  await setStandbys('')
  t.equal(await cancelling, 'cancelled')
})

t.test('a database unreachable at the start is retried until it responds', async (t) => {
  const { db, proxy, url } = await shopBehindProxy(t, 1)
  proxy.open = false
  const lines: string[] = []
  const store = await openAt(url, 500, (level, message) => lines.push(`${level} ${message}`))
  t.teardown(() => store.close())
  for (const request of [store.list, () => store.hasPet(1n), () => store.cancel(1n), store.ping, store.countByStatus])
    await t.rejects(async () => void (await request()), { name: 'StoreUnavailableError', retryAfterSeconds: 2 })

  await db.query('ALTER TABLE store_orders.migrations RENAME version TO other')
  proxy.open = true
  const logged = (text: string) =>
    until(async () => !(await responds(store.hasPet(1n))) && lines.some((line) => line.includes(text)))
  await logged('column "version" does not exist')
  const migrations = await db.query('DELETE FROM store_orders.migrations RETURNING other AS version, name')
  await db.query('ALTER TABLE store_orders.migrations RENAME other TO version')
  await logged('store-orders migrate')
  for (const { version, name } of migrations)
    await db.query('INSERT INTO store_orders.migrations VALUES ($1, $2)', [version, name])
  await until(() => responds(store.hasPet(1n)))
  t.match(lines[0], /^warn PostgreSQL is unreachable: .+; responding with 503 until it recovers$/)
  t.equal(lines.at(-1), 'info PostgreSQL has recovered')
})

t.test('a store can be closed while it waits for its database', async (t) => {
  const { proxy, url } = await shopBehindProxy(t)
  proxy.open = false
  await (await openAt(url, 100)).close()
})

t.test('the start reports what the operator must change', async (t) => {
  const { db } = await shop(t)
  await scramRole(db)
  const where = `127.0.0.1:${db.port}`
  const create = 'Create it, or name another in DATABASE_URL'
  const refused: [url: string, message: string][] = [
    [as(db.url, 'scram'), `${where} asks for a password: set PGPASSWORD or PGPASSFILE`],
    [as(db.url, 'scram:wrong'), `${where} rejects the password of user "scram"`],
    [as(db.url, 'nobody_here'), `${where} rejects user "nobody_here": role "nobody_here" does not exist`],
    [db.url.replace(db.name, 'no'), `${where}: database "no" does not exist. ${create}`],
    [db.url.replace('disable', 'require'), `${where} does not speak TLS: configure it there, or set sslmode=disable`],
  ]
  for (const [url, message] of refused) await t.rejects(openAt(url), { message })
  await db.query('ALTER TABLE store_orders.migrations RENAME version TO other')
  await t.rejects(openAt(db.url), { message: 'column "version" does not exist' }, 'or any other reason')
})

t.test('errors of transactions, locks, the operator and the network are transient, others are not', async (t) => {
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
  const transient = ['25P03', '25P04', '25006', '55P03', '57014', '57P05', '40001', '08006', '53300', '58030']
  for (const error of [...transient.map(reported), refused]) t.equal(isTransient(error), true, error.code)
  for (const error of [...['23514', '42883', 'P0001'].map(reported), new PermanentError('no')])
    t.equal(isTransient(error), false, error.message)
  const ending = (code: string) => Object.assign(new pg.DatabaseError('', 0, 'error'), { code, severity: 'FATAL' })
  for (const code of ['28P01', '28000', '3D000', '42501', '42601', '42704', '22023'])
    t.equal(isTransient(ending(code)), false, `${code} ends the session for good`)
  for (const code of ['57P01', '53300', 'XX000']) t.equal(isTransient(ending(code)), true, `${code} ends it for now`)
})

t.test('another host may do better after errors of a host or the network, not of a statement', async (t) => {
  const ofHost = [...['08006', '53300', '58030', '57P01', '25006'].map(reported), new Error('Query read timeout')]
  for (const error of ofHost) t.equal(isOfHost(error), true, String(Object(error).code))
  for (const code of ['55P03', '57014', '25P03', '23514']) t.equal(isOfHost(reported(code)), false, code)
})

t.test('another session may do better after errors of its state, not after those of a statement', async (t) => {
  for (const code of ['0A000', '24000', '26000', '34000', '3B001', '42P05', 'XX000', 'F0001'])
    t.equal(isOfSession(reported(code)), true, code)
  for (const code of ['42P01', '25P02', '23514']) t.equal(isOfSession(reported(code)), false, code)
})

t.test('errors have a reason in one line', async (t) => {
  const expired = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })
  const reason =
    'a:1 has a certificate that cannot be verified: certificate has expired. Name its authority with sslrootcert'
  t.equal(permanentReason(expired, 'a:1', 'u'), reason)
  for (const code of [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ])
    t.match(permanentReason(Object.assign(new Error('no'), { code }), 'a:1', 'u'), 'that cannot be verified: no.', code)
  t.equal(permanentReason(new Error('no'), 'a:1', 'u'), undefined)
  t.equal(reasonOf(new AggregateError([new Error('first'), new Error('second')])), 'first')
  t.equal(reasonOf(Object.assign(new Error(''), { code: 'EX' })), 'EX')
  const full = Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code: '53100' })
  t.equal(reasonOf(full), 'the database has no space left (could not extend file)')
})
