import t from 'tap'
import { rateLimiter } from '../src/gcra.ts'

/** A limiter whose time the test sets, in seconds. */
function limiter(max: number, seconds: number) {
  let time = 1000
  const limit = rateLimiter({ max, seconds }, () => time * 1000)
  const count = (client = 'a') => limit(client)
  return {
    count,
    pass(seconds: number) {
      time += seconds
    },
    times: (times: number) => Array.from({ length: times }, () => count()),
  }
}

t.test('a limit is exact despite a rounded interval, and no quota grows beyond it', async (t) => {
  for (const max of [1, 3, 7, 600, 9999]) {
    const { times, pass } = limiter(max, 60)
    for (const idle of [0.123456789, 1000]) {
      pass(idle)
      const decisions = times(max + 1)
      const left = decisions.map(({ remaining }) => remaining)
      t.strictSame(left, [...Array(max).keys()].reverse().concat(0))
      t.equal(decisions.filter(({ isAllowed }) => isAllowed).length, max)
    }
  }
})

t.test('a rejected request does not count, and shows when one is accepted', async (t) => {
  const { count, pass, times } = limiter(2, 60)
  const allowed = (count: number) => times(count).map(({ isAllowed }) => isAllowed)
  t.strictSame(allowed(4), [true, true, false, false])
  t.equal(count().nextIn, 30)
  pass(29.9)
  t.match(count(), { isAllowed: false, nextIn: 1 })
  pass(0.1)
  t.strictSame(allowed(2), [true, false])
})

t.test('the least recently seen client is dropped first', async (t) => {
  const { count } = limiter(1, 60)
  count('first')
  count('second')
  count('first')
  for (let i = 0; i < 9_999; i++) count(`client ${i}`)
  t.equal(count('first').isAllowed, false)
  t.equal(count('second').isAllowed, true)
})
