import { writeFileSync } from 'node:fs'
import process from 'node:process'
import t from 'tap'
import { block, until } from 'test-kit/until'
import { watchStalls } from '../../telemetry/stalls.ts'

t.test('a stall with little work is a pause, beside that work', async (t) => {
  const reports: string[] = []
  const { seconds, close } = watchStalls({ report: (message) => reports.push(message), interval: 5, longest: 200 })
  t.teardown(close)
  await new Promise(setImmediate)
  reports.length = 0 // a busy machine
  block(300)
  await until(() => reports.length > 0)
  t.match(reports[0], /still for \d+\.\d s: its own work took \d+\.\d s of CPU; else it was paused/)
  t.ok(seconds() >= 0.2)
})

t.test('stalls longer than a second are reported and added up, each with its reason', async (t) => {
  const used = { userCPUTime: 0, systemCPUTime: 0, majorPageFault: 0 }
  let [now, throttled] = [0, 0]
  let tick = () => {}
  const every = (run: () => void, ms: number) => {
    tick = run
    t.equal(ms, 250)
    return { unref() {} }
  }
  t.intercept(globalThis, 'setInterval', { value: every as unknown as typeof setInterval })
  t.intercept(performance, 'now', { value: () => now })
  t.intercept(process, 'resourceUsage', { value: (() => ({ ...used })) as typeof process.resourceUsage })
  const reports: string[] = []
  const cpuStat = `${t.testdir({})}/cpu.stat`
  const { seconds } = watchStalls({ report: (message) => reports.push(message), cpuStat })
  for (const [ms, { user = 0, system = 0, faults = 0, limit = 0 }, expected] of [
    [1_000, {}, undefined],
    [1_100, {}, /^the process stood still for 1\.1 s: its own work took 0\.0 s of CPU; else/],
    [2_000, { user: 500, system: 500 }, /took 1\.0 s of CPU; else/],
    [2_000, { user: 500, system: 600 }, /took 1\.1 s of CPU$/],
    [2_000, { faults: 500 }, /CPU; else/],
    [2_000, { faults: 501 }, /its memory was swapped out/],
    [2_000, { limit: 1_000 }, /CPU; else/],
    [2_000, { limit: 1_001 }, /throttled it$/],
  ] as const) {
    now += 250 + ms
    throttled += limit
    used.userCPUTime += 1_000 * user
    used.systemCPUTime += 1_000 * system
    used.majorPageFault += faults
    writeFileSync(cpuStat, `throttled_usec ${1_000 * throttled}\n`)
    tick()
    t.match(reports.splice(0), expected ? [expected] : { length: 0 })
  }
  t.equal(seconds(), 13.1)
})
