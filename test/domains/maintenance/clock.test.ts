import process from 'node:process'
import t from 'tap'
import { systemClock } from '../../../domains/maintenance/clock.ts'

t.test('it is the time of the system', async (t) => {
  const [before, now, after] = [Date.now(), systemClock.now().getTime(), Date.now()]
  t.ok(before <= now && now <= after)
  const elapsed = systemClock.elapsed()
  t.ok(systemClock.elapsed() >= elapsed)
})

t.test('a timer calls back unless it is cancelled, and does not keep the process alive', async (t) => {
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(alive))
  const calls: string[] = []
  const cancel = systemClock.after(1, () => calls.push('cancelled'))
  cancel()
  await new Promise<void>((resolve) => systemClock.after(2, resolve))
  t.strictSame(calls, [])
  t.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, 1, 'the one of this test')
})
