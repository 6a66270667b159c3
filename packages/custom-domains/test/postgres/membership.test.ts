import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Run } from '../../src/postgres/database.ts'
import { type Member, membership, systemTime } from '../../src/postgres/membership.ts'
import { queriesIn } from '../../src/postgres/queries.ts'

/** The row of a member that does not lead. */
const follower = { save: 'first', server: 'one', token: null, key: null }
const listener: Member = { onChange: async () => {}, onLeadership() {}, onHeartbeat: async () => {} }

/** A member on a database that responds to each query with the next of these rows. Pauses pass at once. */
function memberOver(...rows: object[]) {
  const time = { elapsed: 0, wait: 0 }
  async function sleep(ms: number) {
    time.elapsed += ms
    await setImmediate()
  }
  function after(ms: number) {
    time.wait = ms
    return () => {}
  }
  const clock = { elapsed: () => time.elapsed, after, sleep }
  return { ...membership('one', { ...optionsOver(rows), clock }), rows, time }
}

function optionsOver(rows: object[]) {
  const run: Run = async () => [rows.shift() as never]
  return { run, queries: queriesIn('"any"'), served: () => 'first', keyIds: [] }
}

t.test('a heartbeat that is requested during another one follows it', async (t) => {
  const leader = { ...follower, token: '1', key: 'one' }
  const { join, beatNow, token, sharedKey, leave, rows, time } = memberOver(follower, leader, {})
  const joined = join(listener)
  beatNow()
  await joined
  t.strictSame([token(), sharedKey(), rows.length, time.wait], ['1', 'one', 1, 2_000])
  await leave()
})

t.test('a late rejection of an earlier token does not end a leadership that was gained since', async (t) => {
  const { join, token, loseLeadership, leave } = memberOver({ ...follower, token: '2' }, {})
  const seen: boolean[] = []
  await join({ ...listener, onLeadership: (leads) => void seen.push(leads) })
  loseLeadership('1')
  t.strictSame([token(), seen], ['2', [true]])
  loseLeadership('2')
  t.strictSame([token(), seen], [undefined, [true, false]])
  await leave()
})

t.test('a heartbeat that began before a rejection does not give back the leadership', async (t) => {
  const leads = { ...follower, token: '1' }
  const { join, beatNow, token, loseLeadership, leave, rows } = memberOver(leads)
  const seen: boolean[] = []
  await join({ ...listener, onLeadership: (leads) => void seen.push(leads) })
  const late = {
    ...leads,
    get server() {
      loseLeadership('1')
      return 'one'
    },
  }
  rows.push(late, {})
  beatNow()
  await leave()
  t.strictSame([token(), seen], [undefined, [true, false]])
})

t.test('a lease counts from its request, as its response may be late', async (t) => {
  for (const ms of [8_999, 9_000]) {
    const { join, leave, rows, time, ...member } = memberOver()
    const late = {
      ...follower,
      get server() {
        time.elapsed += ms
        return 'one'
      },
    }
    rows.push(late, {})
    await join(listener)
    t.equal(member.isCurrent(), ms < 9_000)
    await leave()
  }
})

t.test('an instance that catches up tells the others; one whose lease has lapsed is not current before', async (t) => {
  const behind = { ...follower, save: 'second' }
  for (const lateMs of [8_999, 9_000]) {
    const { join, beatNow, leave, rows, time, ...member } = memberOver(follower, behind, behind, {}, {})
    await join(listener)
    time.elapsed = lateMs
    beatNow()
    await setImmediate()
    t.strictSame([rows.length, member.isCurrent()], [1, lateMs < 9_000])
    await leave()
  }
})

const unreadable = {
  get server(): string {
    throw new Error('unreachable')
  },
}

t.test('an instance leaves although the database is unreachable, and asks nothing if it has not joined', async (t) => {
  for (const asked of [0, 2]) {
    let queries = 0
    const run: Run = async () => (queries++ > 0 ? Promise.reject(new Error('unreachable')) : [follower as never])
    const clock = { elapsed: () => 0, after: () => () => {}, sleep: async () => {} }
    const { join, leave } = membership('one', { ...optionsOver([]), run, clock })
    if (asked > 0) await join(listener)
    await leave()
    t.equal(queries, asked)
  }
})

t.test('an outage ends a leadership with its lease, not before', async (t) => {
  const { join, beatNow, leave, rows, time, token } = memberOver({ ...follower, token: '1' })
  await join(listener)
  for (const elapsed of [9_000, 9_001]) {
    time.elapsed = elapsed
    rows.push(unreadable)
    beatNow()
    await setImmediate()
    t.equal(token(), elapsed > 9_000 ? undefined : '1')
  }
  await leave()
})

t.test('a change that the database has lost is not acknowledged', async (t) => {
  const { whenAcknowledged } = memberOver({ instances: 0, kept: false, server: 'one' })
  await t.rejects(whenAcknowledged(), { name: 'StorageUnavailableError', message: 'the database has lost the change' })
})

t.test('a process does not end while it waits for an acknowledgment', async (t) => {
  const rows = [1, 0].map((instances) => ({ instances, kept: true, server: 'one' }))
  const { whenAcknowledged } = membership('one', { ...optionsOver(rows), clock: systemTime })
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const waiting = whenAcknowledged()
  await setImmediate()
  t.equal(timers(), before + 1)
  await waiting
})

t.test('after a failover, the leases of the former primary end before a change is acknowledged', async (t) => {
  const acknowledged = { instances: 0, kept: true, server: 'two' }
  const { join, whenAcknowledged, leave, rows, time } = memberOver(follower, ...Array(100).fill(acknowledged))
  await join(listener)
  await whenAcknowledged()
  t.strictSame([time.elapsed, rows.length], [10_000, 49], 'it was queried until then')
  await leave()
})
