// Memory and start of a process.
import assert from 'node:assert/strict'
import { send } from '../load.js'
import { atRest, cpuOf, memoryOf } from '../proc.js'
import { withServer } from '../servers.js'

/** Resident memory of a server that has loaded its orders and sent a list. @param {number} orders @param {string[]} servers */
export const memory = (orders, servers) =>
  measuredBy(servers, (name) =>
    withServer(name, { orders }, async ({ pid, url }) => {
      await send(url)
      await atRest(pid)
      return { value: memoryOf(pid) }
    }),
  )

/** From the start of the process to the list of the sample, in ms. @param {string[]} servers */
export const start = (servers) =>
  measuredBy(servers, (name) => {
    const begin = performance.now()
    return withServer(name, {}, async ({ pid, url }) => {
      const { status } = await send(url)
      const sample = { value: performance.now() - begin, cpu: cpuOf(pid) }
      assert.equal(status, 200, `${name}: the status of the list`)
      return sample
    })
  })

/** @param {string[]} servers @param {(name: string) => Promise<import('../run.js').Sample>} measure */
const measuredBy = (servers, measure) => Object.fromEntries(servers.map((name) => [name, () => measure(name)]))
