import t from 'tap'
import { type Member, membership } from '../../../domains/postgres/membership.ts'
import type { Sessions } from '../../../store/postgres/sessions.ts'

const listener: Member = { onChange: async () => {}, onLeadership() {}, onHeartbeat: async () => {} }

/** A member on a database that responds to each query with the next of these rows. */
function memberOver(...rows: object[]) {
  const sessions = { run: async () => rows.shift() }
  return { ...membership(sessions as Partial<Sessions> as Sessions, 'one', { served: () => 0n, keyIds: [] }), rows }
}

t.test('a heartbeat that is requested during another one follows it', async (t) => {
  const [follower, leader] = [
    { revision: '0', token: null, key: null },
    { revision: '0', token: '1', key: 'one' },
  ]
  const { join, beatNow, token, sharedKey, leave, rows } = memberOver(follower, leader, {})
  const joined = join(listener)
  beatNow()
  await joined
  t.strictSame([token(), sharedKey(), rows.length], ['1', 'one', 1])
  await leave()
})

t.test('a late rejection of an earlier token does not end a leadership that was gained since', async (t) => {
  const { join, token, loseLeadership, leave } = memberOver({ revision: '0', token: '2', key: null }, {})
  const seen: boolean[] = []
  await join({ ...listener, onLeadership: (leads) => void seen.push(leads) })
  loseLeadership('1')
  t.strictSame([token(), seen], ['2', [true]])
  loseLeadership('2')
  t.strictSame([token(), seen], [undefined, [true, false]])
  await leave()
})
