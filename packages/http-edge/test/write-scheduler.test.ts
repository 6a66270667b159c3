import t from 'tap'
import { createWriteScheduler } from '../src/write-scheduler.ts'

const iteration = () => new Promise(setImmediate)

t.test('each iteration of the event loop writes one batch, and responses that have begun go first', async (t) => {
  const { scheduleFirst, scheduleNext } = createWriteScheduler()
  const batches: string[] = []
  for (const name of ['a', 'b', 'c']) {
    scheduleFirst(() => {
      batches.push(`${name} begins`)
      if (name === 'a') scheduleNext(() => batches.push('a proceeds'))
    })
  }
  t.strictSame(batches, [])
  for (let number = 0; batches.length < 4; number++) {
    t.ok(batches.length <= number)
    await iteration()
  }
  t.strictSame(batches, ['a begins', 'a proceeds', 'b begins', 'c begins'])
})

t.test('the wait to begin follows from how long the first in the queue has waited, and for how many', async (t) => {
  const { scheduleFirst, delayOfFirst } = createWriteScheduler()
  t.equal(delayOfFirst(performance.now()), 0)
  const before = performance.now()
  const begun = Array.from({ length: 4 }, () => new Promise<void>(scheduleFirst))
  const after = performance.now()
  t.ok(delayOfFirst(after + 10) >= 4 * 10, 'all four are ahead')
  t.ok(delayOfFirst(after + 10) <= 4 * (after - before + 10))
  await begun[0]
  const now = performance.now()
  t.ok(delayOfFirst(now) <= (3 / 2) * (now - before), 'three are ahead; the second has waited for two batches')
  await Promise.all(begun)
  t.equal(delayOfFirst(performance.now()), 0)
})
