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
