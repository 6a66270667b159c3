import t from 'tap'
import { watchClock } from '../../src/maintenance/clock-watch.ts'
import { DAY, fakeClock, MINUTE, SECOND } from '../fixtures/clock.ts'

const settle = async () => {}

function watched() {
  const clock = fakeClock()
  const seen: unknown[] = []
  const end = watchClock(clock, { onStep: (ms) => seen.push(ms), wake: () => seen.push('wake') })
  return { clock, seen, end, pass: (ms: number) => clock.pass(ms, settle) }
}

t.test('a running or slightly adjusted clock triggers nothing', async (t) => {
  const { clock, seen, pass } = watched()
  await pass(DAY)
  clock.jump(2 * SECOND)
  await pass(MINUTE)
  t.strictSame(seen, [])
})

t.test('a clock that is set forward counts after a minute, one that is set back immediately', async (t) => {
  const { clock, seen, pass } = watched()
  clock.jump(DAY)
  await pass(5 * SECOND)
  t.strictSame(seen, [DAY])
  await pass(MINUTE)
  t.strictSame(seen, [DAY, 'wake'])
  clock.jump(-DAY)
  await pass(5 * SECOND)
  t.strictSame(seen, [DAY, 'wake', -DAY, 'wake'])
})

t.test('a clock that is ahead for seconds makes nothing due', async (t) => {
  const { clock, seen, end, pass } = watched()
  clock.jump(DAY)
  await pass(5 * SECOND)
  clock.jump(-DAY)
  await pass(5 * SECOND)
  t.strictSame(seen, [DAY, -DAY, 'wake'])
  await pass(DAY)
  t.equal(seen.length, 3)
  clock.jump(DAY)
  await pass(5 * SECOND)
  end()
  t.equal(clock.waiting(), 0)
})
