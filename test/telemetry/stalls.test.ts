import { writeFileSync } from 'node:fs'
import process from 'node:process'
import t, { type Test } from 'tap'
import { block } from 'test-kit/until'
import { watchStalls } from '../../telemetry/stalls.ts'

/** @returns what is reported of a process that stands still in this way */
async function reportOf(t: Test, stall: () => void, options: { cpuStat?: string } = {}) {
  return new Promise<string>((resolve) => {
    const { seconds, close } = watchStalls({ report, interval: 5, longest: 200, ...options })
    t.teardown(close)
    let hasBegun = false
    function report(message: string) {
      if (!hasBegun) return // a busy machine
      t.ok(seconds() >= 0.2)
      resolve(message)
    }
    setImmediate(() => {
      hasBegun = true
      stall()
    })
  })
}

t.test('a stall with little work is a pause, beside that work', async (t) => {
  t.match(
    await reportOf(t, () => block(1_000)),
    /still for \d+\.\d s: its own work took \d+\.\d s of CPU; else it was paused/,
  )
})

t.test('a stall by a limit of the CPU is told by what Linux counts', async (t) => {
  const folder = t.testdir({ 'cpu.stat': 'usage_usec 5\nthrottled_usec 0\n' })
  const cpuStat = `${folder}/cpu.stat`
  const stall = () => {
    t.testdir({ 'cpu.stat': 'usage_usec 5\nthrottled_usec 30000000\n' })
    block(300)
  }
  t.match(await reportOf(t, stall, { cpuStat }), /the CPU limit of its container or unit throttled it$/)
})

for (const [field, reason] of [
  ['userCPUTime', /its own work took 3600\.0 s of CPU$/],
  ['majorPageFault', /its memory was swapped out, or its disk is slow$/],
] as const)
  t.test(`a stall is explained by ${field}`, async (t) => {
    const { resourceUsage } = process
    t.teardown(() => Object.assign(process, { resourceUsage }))
    let value = 0
    const still = { userCPUTime: 0, systemCPUTime: 0, majorPageFault: 0 }
    Object.assign(process, { resourceUsage: () => ({ ...still, [field]: value }) })
    const stall = () => {
      value = 3_600_000_000
      block(300)
    }
    t.match(await reportOf(t, stall), reason)
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
