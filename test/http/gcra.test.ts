import t from 'tap'
import { rateLimiter } from '../../http/gcra.ts'

/** A limiter whose time the test sets, in seconds. */
function limiter(max: number, seconds: number) {
  let time = 1000
  const count = rateLimiter({ max, seconds }, () => time * 1000)
  return {
    count,
    pass(seconds: number) {
      time += seconds
    },
    times: (times: number) => Array.from({ length: times }, () => count('a')),
  }
}

t.test('a quota allows a burst, and is replenished one by one', async (t) => {
  const { count, times, pass } = limiter(3, 30)
  t.strictSame(times(5), [
    { isAllowed: true, remaining: 2, nextIn: 10 },
    { isAllowed: true, remaining: 1, nextIn: 10 },
    { isAllowed: true, remaining: 0, nextIn: 10 },
    { isAllowed: false, remaining: 0, nextIn: 10 },
    { isAllowed: false, remaining: 0, nextIn: 10 },
  ])
  t.match(count('b'), { isAllowed: true, remaining: 2 }, 'others have their own quota')
  pass(9.9)
  t.match(count('a'), { isAllowed: false, nextIn: 1 })
  pass(0.1)
  t.match(times(2), [
    { isAllowed: true, remaining: 0, nextIn: 10 },
    { isAllowed: false, nextIn: 10 },
  ])
  pass(1000)
  t.match(
    times(4).map(({ isAllowed }) => isAllowed),
    [true, true, true, false],
  )
})

t.test('a limit is exact despite a rounded interval', async (t) => {
  for (const max of [1, 3, 7, 600, 9999]) {
    const { times, pass } = limiter(max, 60)
    pass(0.123456789)
    const decisions = times(max + 1)
    t.strictSame(
      decisions.map(({ remaining }) => remaining),
      [...Array(max).keys()].reverse().concat(0),
    )
    t.equal(decisions.filter(({ isAllowed }) => isAllowed).length, max)
  }
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
