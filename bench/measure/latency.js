// Measures the 99th percentile of cancellations. A small store allows only as many as it has orders, so each measurement
// uses a few fresh servers, warmed up by cancellations of missing orders.
import { load } from '../load.js'
import { ordersFile } from '../orders.js'
import { atRest } from '../proc.js'
import { start } from '../servers.js'
import { median } from '../statistics.js'

const SERVERS = 3
const CANCELS = 1000
const CONNECTIONS = 16
const WARM_UP_S = 2
const NOWHERE = 2_000_000

/** @type {import('../run-row.js').Method} */
export async function latency(row) {
  const contestants = row.entries.map(({ name, peer, orders = row.orders }) => ({
    name,
    measure: async () => {
      const file = await ordersFile(orders)
      const figures = []
      for (let turn = 0; turn < SERVERS; turn++) figures.push(await p99(peer, file))
      return median(figures)
    },
  }))
  return { contestants }
}

async function p99(peer, file) {
  const server = await start(peer, file)
  try {
    const cancels = { connections: CONNECTIONS, cancelEvery: 1 }
    await load(server.url, { ...cancels, seconds: WARM_UP_S, position: NOWHERE, isWarmUp: true })
    await atRest(server.pid)
    // Fewer, because requests pending at the end are cancellations too.
    return (await load(server.url, { ...cancels, seconds: 1, limit: CANCELS - CONNECTIONS })).p99
  } finally {
    await server.stop()
  }
}
