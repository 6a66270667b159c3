// The CPU time per request of an instance behind nginx: beside another one on the same database, alone, and beside another one
// on a database of its own, which tells what the instances cost each other from what a busy machine does.
import { databaseEnv } from '../../database.js'
import { load } from '../../load.js'
import { balancerCommand } from '../../peers/balancer.js'
import { atRest, cpuOf } from '../../proc.js'
import { BOTH_CORES, launch, OURS, start } from '../../servers.js'

/** Connections to each instance: concurrent requests would share a check. */
const CONNECTIONS = 1
const WARM_UP_S = 2

/** @type {import('../../run-row.js').Method} */
export async function cpu(row, { seconds }) {
  const shared = await databaseEnv(row.orders)
  const [first, second] = [await databaseEnv(row.orders), await databaseEnv(row.orders)]
  const instances = [[shared, shared], [first], [first, second]]
  /** @type {{ stop: () => Promise<void> }[]} */
  const running = []
  const stop = async () => {
    for (const each of running.reverse()) await each.stop()
  }

  async function contestantOf({ name }, environments) {
    const servers = []
    for (const env of environments) {
      servers.push(await start(OURS, undefined, env, BOTH_CORES))
      running.push(...servers.slice(-1))
    }
    const ports = servers.map(({ url }) => new URL(url).port)
    const command = (place) => balancerCommand({ ...place, ports })
    const balancer = await launch({ name: 'nginx', command, cores: BOTH_CORES })
    running.push(balancer)
    const spent = () => servers.reduce((sum, { pid }) => sum + cpuOf(pid), 0)
    const measure = async (lasting = seconds) => {
      const before = spent()
      const connections = CONNECTIONS * environments.length
      const { requests } = await load(balancer.url, { seconds: lasting, connections, cores: BOTH_CORES })
      for (const { pid } of servers) await atRest(pid)
      return (spent() - before) / requests
    }
    await measure(WARM_UP_S)
    return { name, measure: () => measure() }
  }

  try {
    const contestants = []
    for (const [index, entry] of row.entries.entries()) contestants.push(await contestantOf(entry, instances[index]))
    return { contestants, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
