// The default configuration: with limits on load and on invalid keys, and for a part of the run with few descriptors.
import { connect } from 'node:net'
import { logProblems, respondsSoon } from './checks.ts'
import { anyScript, numbers, requestsOf, sourceOf } from './plan.ts'
import { sideBySide } from './play.ts'
import type { Report } from './report.ts'
import { startServer } from './server.ts'
import { newSession } from './session.ts'
import type { Orders, World } from './types.ts'

const WIDTH = 24
const CONNECTIONS = 400
const DESCRIPTORS = 256
const REQUESTS = 800

export async function attackDefaults({
  program,
  logs,
  env,
  plan,
  report,
}: {
  program: string
  logs: string
  env: Record<string, string>
  plan: { seed: number; key: string; orders: Orders }
  report: Report
}) {
  for (const descriptors of [undefined, DESCRIPTORS]) {
    const name = `defaults${descriptors === undefined ? '' : `, ${descriptors} descriptors`}`
    const ready = /API at http:\/\/[\d.]+:(\d+)/
    const server = await startServer({ program, logs: `${logs}defaults-${descriptors}`, env, ready, descriptors })
    const session = newSession({ port: server.port, orders: plan.orders, report, isRelaxed: true })
    const world = { key: plan.key, host: `127.0.0.1:${server.port}`, orders: plan.orders }
    await sideBySide(scripts(world, plan.seed), WIDTH, ([number, script]) => session.run(number, script))
    if (descriptors !== undefined) await crowd(server.port)
    if (!server.isAlive()) report.general(name, ['the process has ended'])
    else report.general(name, (await respondsSoon(server.port, '/docs')).problems)
    const code = await server.stop()
    if (code !== 0) report.general(name, [`SIGTERM ended it with ${code}`])
    report.general(`log of the ${name}`, logProblems(server.files, plan.key))
    console.log(`${name}: ${session.counts.requests} requests, ${session.counts.responses} responses`)
  }
}

function* scripts(world: World, seed: number) {
  for (let [number, left] = [numbers.domains, REQUESTS]; left > 0; number++) {
    const script = anyScript(sourceOf(world, seed, number))
    left -= requestsOf(script)
    yield [number, script] as const
  }
}

/** More connections than descriptors, and than the share of an address, each with half a request; then none. */
async function crowd(port: number) {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of sockets) socket.write('GET /docs HTTP/1.1\r\nHost: a\r\n')
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await Promise.race(closed)
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
}
