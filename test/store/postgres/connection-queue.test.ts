import t from 'tap'
import { connectionQueue } from '../../../store/postgres/connection-queue.ts'
import { StoreUnavailableError } from '../../../store/unavailable.ts'

const never = () => performance.now() + 1e9

t.test('callers without a slot queue in order', async (t) => {
  const { enter } = connectionQueue(2, 10)
  const order: number[] = []
  const [first, second] = await Promise.all([enter(never()), enter(never())])
  const waiting = [1, 2, 3].map(async (number) => {
    const leave = await enter(never())
    order.push(number)
    leave()
  })
  t.strictSame(order, [])
  first()
  await Promise.all(waiting)
  t.strictSame(order, [1, 2, 3])
  second()
  const free = await Promise.all([enter(never()), enter(never())])
  t.equal(free.length, 2)
})

t.test('a full queue rejects callers at once, a slow one at their deadline', async (t) => {
  const { enter } = connectionQueue(1, 1)
  const leave = await enter(never())
  const late = enter(performance.now() + 1)
  const busy = { message: 'every connection to PostgreSQL is busy', retryAfterSeconds: 1 }
  await t.rejects(enter(never()), busy)
  t.type(await late.catch((error) => error), StoreUnavailableError)
  leave()
  t.type(await enter(performance.now() - 1), 'function', 'a caller that gave up leaves the queue')
})
