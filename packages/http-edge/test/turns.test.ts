import t from 'tap'
import { delayOfFirstWrite, queueFirstWrite, queueNextWrite } from '../src/turns.ts'

const iteration = () => new Promise(setImmediate)

t.test('each iteration of the event loop has one turn, and responses that have begun go first', async (t) => {
  const turns: string[] = []
  for (const name of ['a', 'b', 'c']) {
    queueFirstWrite(() => {
      turns.push(`${name} begins`)
      if (name === 'a') queueNextWrite(() => turns.push('a proceeds'))
    })
  }
  t.strictSame(turns, [])
  for (let number = 0; turns.length < 4; number++) {
    t.ok(turns.length <= number)
    await iteration()
  }
  t.strictSame(turns, ['a begins', 'a proceeds', 'b begins', 'c begins'])
})

t.test('the wait to begin follows from how long the first in the queue has waited, and for how many', async (t) => {
  t.equal(delayOfFirstWrite(performance.now()), 0)
  const before = performance.now()
  const begun = Array.from({ length: 4 }, () => new Promise<void>(queueFirstWrite))
  const after = performance.now()
  t.ok(delayOfFirstWrite(after + 10) >= 4 * 10, 'all four are ahead')
  t.ok(delayOfFirstWrite(after + 10) <= 4 * (after - before + 10))
  await begun[0]
  const now = performance.now()
  t.ok(delayOfFirstWrite(now) <= (3 / 2) * (now - before), 'three are ahead; the second has waited for two turns')
  await Promise.all(begun)
  t.equal(delayOfFirstWrite(performance.now()), 0)
})
