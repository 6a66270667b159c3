// Changes of many orders: other requests are served meanwhile, and too many for a statement do not make the list fail.
import t, { type Test } from 'tap'
import { block } from 'test-kit/until'
import { pageEncoded } from '../../../store/channels.ts'
import { BLOCK_SIZE } from '../../../store/page.ts'
import { listReader } from '../../../store/postgres/list-reader.ts'
import { commit, readBlocks } from '../../../store/postgres/queries.ts'
import type { Session } from '../../../store/postgres/sessions.ts'
import { sessionOf, sessionOn } from '../../postgres/database.ts'
import { shop } from '../../postgres/orders.ts'
import { countIn } from '../list.ts'

const BLOCKS = 20

async function withOrders(t: Test) {
  const { db } = await shop(t, BLOCKS * BLOCK_SIZE)
  return { db, session: sessionOf(await sessionOn(t, db.url)) }
}

t.test('other requests are served between the pages of a list that is read or has changed', async (t) => {
  const { db, session } = await withOrders(t)
  const read = listReader()
  let inIteration = 0
  let total = 0
  const encoded = () => {
    total++
    inIteration++
    block(11) // longer than a slice
  }
  pageEncoded.subscribe(encoded)
  t.teardown(() => pageEncoded.unsubscribe(encoded))
  let isOver = false
  let most = 0
  const iterate = () => {
    most = Math.max(most, inIteration)
    inIteration = 0
    if (!isOver) setImmediate(iterate)
  }
  iterate()
  await read(session)
  t.strictSame({ total, most }, { total: BLOCKS, most: 1 })
  total = 0
  await db.query('UPDATE store_orders.orders SET quantity = 2 WHERE id % 6 = 0 AND id / $1 % 3 = 0', [BLOCK_SIZE])
  await read(session)
  t.ok(total >= BLOCKS / 4, `${total} pages`)
  t.ok(most < 5, 'those of a block')
  isOver = true
})

t.test('changes that twice take too long to read are read with their pages', async (t) => {
  const { db, session } = await withOrders(t)
  const read = listReader()
  const sent: string[] = []
  const slow: Session = {
    async query(query, values) {
      sent.push(query.name ?? query.text)
      if (query.name === 'changes-since') throw new Error('Query read timeout')
      return session.query(query, values)
    },
  }
  await read(session)
  await db.query('DELETE FROM store_orders.orders WHERE id <= $1', [BLOCK_SIZE])
  await t.rejects(read(slow), { message: 'Query read timeout' }, 'the connection may have failed')
  await t.rejects(read(slow), { message: 'Query read timeout' })
  sent.length = 0
  t.equal(countIn(await read(slow)), (BLOCKS - 1) * BLOCK_SIZE)
  t.notOk(sent.includes('changes-since'))
  await t.rejects(read(slow), { message: 'Query read timeout' }, 'later changes are read again')
})

for (const [name, broken] of Object.entries({ readBlocks, commit })) {
  t.test(`of a reading that breaks off at ${name}, the next one keeps the pages that are equal`, async (t) => {
    const { db, session } = await withOrders(t)
    const read = listReader()
    const failing: Session = {
      async query(query, values) {
        if (query.name === 'changes-since') throw new Error('Query read timeout')
        if (query === broken) {
          await session.query({ text: 'ROLLBACK' })
          throw new Error('broken off')
        }
        return session.query(query, values)
      },
    }
    const [changed, ...others] = await read(session)
    await db.query('DELETE FROM store_orders.orders WHERE id = 1')
    for (const message of ['Query read timeout', 'Query read timeout', 'broken off', 'broken off'])
      await t.rejects(read(failing), { message })
    await session.query({ text: 'ROLLBACK' })
    const [first, ...rest] = await read(session)
    t.equal(first?.count, Number(changed?.count) - 1)
    t.equal(rest.length, others.length)
    t.ok(rest.every((page, at) => page === others[at]))
  })
}
