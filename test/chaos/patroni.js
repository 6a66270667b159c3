// Extended chaos test: Patroni with etcd and three PostgreSQLs, whose leader is killed and switched over under load.
// npm run test:chaos:patroni [-- SEED]. Needs Patroni (PyPI), etcd and a PostgreSQL with pg_basebackup and pg_rewind.
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepare } from './pair.js'
import { requirements, startPatroni } from './patroni-cluster.js'
import { serverOn } from './servers.js'
import { inSession } from './sessions.js'
import { FIRST_ORDERS, trial } from './trial.js'

/** How long clients run between two faults. */
const CALM_MS = 5000
const LONGEST_MS = 300_000

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000)
const { programs, missing } = requirements()
if (missing.length > 0) {
  console.error(`test:chaos:patroni cannot run here:\n${missing.map((line) => `  ${line}`).join('\n')}`)
  process.exit(2)
}
setTimeout(() => {
  console.error(`not done after ${LONGEST_MS / 1000} s, seed ${seed}`)
  process.exit(1)
}, LONGEST_MS).unref()
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(1))

console.log(`seed ${seed}`)
const cluster = await startPatroni(programs)
await prepare((await cluster.leader()).url, FIRST_ORDERS)
const servers = await Promise.all([1, 2, 3].map(() => serverOn(cluster.url)))

/** @template T @param {(session: import('pg').Client) => Promise<T>} work */
async function atPrimary(work) {
  const { url } = await cluster.leader()
  return inSession(url, work)
}

async function disturb() {
  await sleep(CALM_MS)
  for (const [name, fault] of faults) {
    const before = await cluster.leader()
    const began = performance.now()
    await fault(before)
    const after = await cluster.leader()
    console.log(`${name}: ${after.name} for ${before.name}, ${((performance.now() - began) / 1000).toFixed(1)} s`)
    await cluster.settled()
    await sleep(CALM_MS)
  }
}

/** @type {[name: string, fault: (leader: import('./patroni-cluster.js').Node) => Promise<unknown>][]} */
const faults = [
  ['switchover', (node) => cluster.switchover(node)],
  ['the leader is killed with its Patroni', killLeader],
  ['the leader is killed again', killLeader],
]

/** @param {import('./patroni-cluster.js').Node} node */
async function killLeader(node) {
  await node.kill()
  await cluster.anotherThan(node)
  await node.start()
}

const isSound = await trial({ seed, origins: servers.map(({ origin }) => origin), atPrimary, disturb })
await Promise.all(servers.map((server) => server.stop()))
await cluster.remove()
process.exit(isSound ? 0 : 1)
