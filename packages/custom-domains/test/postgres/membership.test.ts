import t from 'tap'
import { until } from 'test-kit/until'
import type { Run } from '../../src/postgres/database.ts'
import { type Member, membership } from '../../src/postgres/membership.ts'
import { queriesIn } from '../../src/postgres/queries.ts'

const listener: Member = { onChange: async () => {}, onLeadership() {}, onHeartbeat: async () => {} }

/** A member on a database that responds to each query with the next of these rows. */
function memberOver(...rows: object[]) {
  const run: Run = async () => [rows.shift() as never]
  return { ...membership('one', { run, queries: queriesIn('"any"'), served: () => 'first', keyIds: [] }), rows }
}

t.test('a heartbeat that is requested during another one follows it', async (t) => {
  const [follower, leader] = [
    { save: 'first', server: 'one', token: null, key: null },
    { save: 'first', server: 'one', token: '1', key: 'one' },
  ]
  const { join, beatNow, token, sharedKey, leave, rows } = memberOver(follower, leader, {})
  const joined = join(listener)
  beatNow()
  await joined
  t.strictSame([token(), sharedKey(), rows.length], ['1', 'one', 1])
  await leave()
})

t.test('a late rejection of an earlier token does not end a leadership that was gained since', async (t) => {
  const { join, token, loseLeadership, leave } = memberOver({ save: 'first', server: 'one', token: '2', key: null }, {})
  const seen: boolean[] = []
  await join({ ...listener, onLeadership: (leads) => void seen.push(leads) })
  loseLeadership('1')
  t.strictSame([token(), seen], ['2', [true]])
  loseLeadership('2')
  t.strictSame([token(), seen], [undefined, [true, false]])
  await leave()
})

t.test('a heartbeat that began before a rejection does not give back the leadership', async (t) => {
  const leads = { save: 'first', server: 'one', token: '1', key: null }
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
  const { now } = performance
  let passed = 0
  t.intercept(performance, 'now', { value: () => now.call(performance) + passed })
  const row = { save: 'first', token: null, key: null, server: 'one' }
  const late = {
    ...row,
    get server() {
      passed += 9_000
      return 'one'
    },
  }
  for (const [first, isCurrent] of [
    [row, true],
    [late, false],
  ] as const) {
    const member = memberOver(first, {})
    await member.join(listener)
    t.equal(member.isCurrent(), isCurrent)
    await member.leave()
  }
})

t.test('a change that the database has lost is not acknowledged', async (t) => {
  const { whenAcknowledged } = memberOver({ instances: 0, kept: false, server: 'one' })
  await t.rejects(whenAcknowledged(), { name: 'StorageUnavailableError', message: 'the database has lost the change' })
})

t.test('after a failover, the leases of the former primary end before a change is acknowledged', async (t) => {
  const follower = { save: 'first', server: 'one', token: null, key: null }
  const acknowledged = { instances: 0, kept: true, server: 'two' }
  const { join, whenAcknowledged, leave, rows } = memberOver(follower, ...Array(1000).fill(acknowledged))
  await join(listener)
  const { now } = performance
  let passed = 0
  t.intercept(performance, 'now', { value: () => now.call(performance) + passed })
  const done = whenAcknowledged()
  await until(() => rows.length < 999)
  passed = 10_000
  await done
  t.ok(rows.length < 999, 'it was queried until the leases had ended')
  await leave()
})
