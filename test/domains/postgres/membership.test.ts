import t from 'tap'
import { membership } from '../../../domains/postgres/membership.ts'
import type { Listener } from '../../../domains/state/storage.ts'
import type { Sessions } from '../../../store/postgres/sessions.ts'

const listener: Listener = { onChange: async () => {}, onLeadership() {}, onHeartbeat() {} }

/** A member over a database that answers each query with the next of these rows. */
function memberOver(...rows: object[]) {
  const sessions = { run: async () => rows.shift() }
  return { ...membership(sessions as Partial<Sessions> as Sessions, 'one', () => 0n), rows }
}

t.test('who is rung during a beat beats once more', async (t) => {
  const [waiting, working] = [
    { revision: '0', fence: null },
    { revision: '0', fence: '1' },
  ]
  const { join, ring, fence, leave, rows } = memberOver(waiting, working, {})
  const joined = join(listener)
  ring()
  await joined
  t.strictSame([fence(), rows.length], ['1', 1])
  await leave()
})

t.test('a change that an instance does not serve yet is looked at again', async (t) => {
  const { whenAcknowledged, rows } = memberOver({ instances: 1 }, { instances: 0 })
  await whenAcknowledged()
  t.strictSame(rows, [])
})
