// The default configuration: with limits on load and on invalid keys. test/process/limits.test.ts has few descriptors.
import { logProblems, respondsSoon } from './checks.ts'
import { anyScript, numbers, scripts, sourceOf } from './plan.ts'
import { sideBySide } from './play.ts'
import type { Report } from './report.ts'
import { startServer } from './server.ts'
import { newSession } from './session.ts'
import type { Orders } from './types.ts'

const WIDTH = 24
const REQUESTS = 800

interface Target {
  program: string
  logs: string
  env: Record<string, string>
  plan: { seed: number; key: string; orders: Orders }
  report: Report
}

export async function attackDefaults({ program, logs, env, plan, report }: Target) {
  const ready = /API at http:\/\/[\d.]+:(\d+)/
  const server = await startServer({ program, logs: `${logs}defaults`, env, ready })
  const session = newSession({ port: server.port, orders: plan.orders, report, isRelaxed: true })
  const world = { key: plan.key, host: `127.0.0.1:${server.port}`, orders: plan.orders }
  const all = scripts(numbers.domains, REQUESTS, (number) => anyScript(sourceOf(world, plan.seed, number)))
  await sideBySide(all, WIDTH, ([number, script]) => session.run(number, script))
  if (!server.isAlive()) report.general('defaults', ['the process has ended'])
  else report.general('defaults', (await respondsSoon(server.port, '/docs')).problems)
  const code = await server.stop()
  if (code !== 0) report.general('defaults', [`SIGTERM ended it with ${code}`])
  report.general('log of the defaults', logProblems(server.files, plan.key))
  console.log(`defaults: ${session.counts.requests} requests, ${session.counts.responses} responses`)
}
