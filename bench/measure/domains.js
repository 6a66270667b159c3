// Measures what custom domains cost: the start, memory, an idle server, and the bytes written by one change.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { DASHBOARD_KEY, hostAt, startWithDomains, VISITED } from '../domains.js'
import { atRest, cpuOf, memoryOf } from '../proc.js'

const IDLE_MS = 20_000

/** CPU time of the start, above one without domains. @type {import('../run-row.js').Method} */
export const domainsStart = above(async ({ pid }) => cpuOf(pid) / 1e6)

/** Resident memory after visits, above a server without domains. @type {import('../run-row.js').Method} */
export const domainsMemory = above(async ({ pid, https }, count) => {
  for (let index = 0; index < Math.min(VISITED, count); index++) await visit(https, hostAt(index))
  await atRest(pid)
  return memoryOf(pid).resident
})

/** CPU time of an idle server, in percent of one core, above one without domains. @type {import('../run-row.js').Method} */
export const domainsIdle = above(async ({ pid }) => {
  const before = cpuOf(pid)
  await sleep(IDLE_MS)
  return ((cpuOf(pid) - before) / 1000 / IDLE_MS) * 100
})

/** What the process writes while the primary domain changes, its response included. @type {import('../run-row.js').Method} */
export async function domainsChange(row) {
  return {
    contestants: row.entries.map(({ name, orders: count = row.orders }) => ({
      name,
      measure: () =>
        withDomains(count, async ({ pid, api }) => {
          const before = writtenBy(pid)
          await makePrimary(api, hostAt(1))
          return (writtenBy(pid) - before) / 1000
        }),
    })),
  }
}

/** @param {(server: Awaited<ReturnType<typeof startWithDomains>>, count: number) => Promise<number>} measure */
function above(measure) {
  /** @type {import('../run-row.js').Method} */
  return async (row) => ({
    contestants: row.entries.map(({ name, orders: count = row.orders }) => ({
      name,
      measure: async () => (await measureWith(count)) - (await measureWith(0)),
    })),
  })

  /** @param {number} count */
  function measureWith(count) {
    return withDomains(count, (server) => measure(server, count))
  }
}

async function withDomains(count, use) {
  const server = await startWithDomains(count)
  try {
    await atRest(server.pid)
    return await use(server)
  } finally {
    await server.stop()
  }
}

async function visit(port, servername) {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.destroy()
}

async function makePrimary(api, domain) {
  const headers = { authorization: `Bearer ${DASHBOARD_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(`${api}/primary`, { method: 'PUT', headers, body: JSON.stringify({ domain }) })
  if (!response.ok) throw new Error(`the primary domain was not set: ${response.status}`)
  await response.text()
}

/** Bytes, to files and sockets. @param {number} pid */
function writtenBy(pid) {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}
