// The default configuration: with limits on load and on invalid keys, and for a part of the run with few descriptors.
import { connect } from 'node:net'
import { logProblems, respondsSoon } from './checks.js'
import { anyScript, numbers, requestsOf, sourceOf } from './plan.js'
import { sideBySide } from './play.js'
import { startServer } from './server.js'
import { newSession } from './session.js'

const WIDTH = 24
const CONNECTIONS = 400
const DESCRIPTORS = 256
const REQUESTS = 800

/**
 * @param {object} options
 * @param {string} options.program
 * @param {string} options.logs the folder
 * @param {Record<string, string>} options.env without the limits
 * @param {{ seed: number, key: string, orders: import('./orders.js').Orders }} options.plan
 * @param {import('./report.js').Report} options.report
 */
export async function attackDefaults({ program, logs, env, plan, report }) {
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

/** @param {import('./types.js').World} world @param {number} seed */
function* scripts(world, seed) {
  for (let [number, left] = [numbers.domains, REQUESTS]; left > 0; number++) {
    const script = anyScript(sourceOf(world, seed, number))
    left -= requestsOf(script)
    yield/** @type {const} */ ([number, script])
  }
}

/** More connections than descriptors, and than the share of an address, each with half a request; then none. @param {number} port */
async function crowd(port) {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of sockets) socket.write('GET /docs HTTP/1.1\r\nHost: a\r\n')
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await Promise.race(closed)
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
}
