// Measures the memory of fresh servers after listing, and its peak while loading.
import { ask } from '../http.js'
import { ordersFile } from '../orders.js'
import { atRest, memoryOf } from '../proc.js'
import { OURS, start } from '../servers.js'

const FEW = 10

/**
 * Resident memory after a list, minus that of the same server with ten orders.
 * @type {import('../run-row.js').Method}
 */
export async function resident(row) {
  return {
    contestants: row.entries.map(({ name, peer }) => ({
      name,
      measure: async () => (await listed(peer, row.orders)) - (await listed(peer, FEW)),
    })),
  }
}

/** The peak while loading, and the resident memory afterwards. @type {import('../run-row.js').Method} */
export async function peak(row) {
  return {
    contestants: row.entries.map(({ name, peer }) => ({
      name,
      measure: async () => (await loaded(peer, row.orders))[name === OURS ? 'peak' : 'resident'],
    })),
  }
}

async function listed(peer, orders) {
  return withServer(peer, orders, async ({ pid, url }) => {
    await ask(url)
    await atRest(pid)
    return memoryOf(pid).resident
  })
}

async function loaded(peer, orders) {
  return withServer(peer, orders, async ({ pid }) => {
    await atRest(pid)
    return memoryOf(pid)
  })
}

async function withServer(peer, orders, use) {
  const server = await start(peer, await ordersFile(orders))
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
