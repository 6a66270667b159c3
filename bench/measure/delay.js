// Measures how long requests block the event loop of a fresh server, including the first of each kind.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../http.js'
import { dataFolder, idAt, ordersFile } from '../orders.js'
import { atRest } from '../proc.js'
import { start } from '../servers.js'

const POLL_MS = 20
/** Longer than the server's interval between two writes. */
const SETTLED_MS = 300
const preload = new URL('../children/event-loop-delay.js', import.meta.url).href
const file = join(dataFolder, 'event-loop-delay')

/** The longest delay in any of the steps. @type {import('../run-row.js').Method} */
export async function delay(row) {
  const orders = await ordersFile(row.orders)
  return { contestants: row.entries.map(({ name, peer }) => ({ name, measure: () => longest(peer, orders) })) }
}

async function longest(peer, orders) {
  const server = await start(peer, orders, { NODE_OPTIONS: `--import=${preload}`, DELAY_FILE: file })
  try {
    await atRest(server.pid)
    await countAnew()
    for (const step of steps) {
      await step(server.url)
      await atRest(server.pid)
    }
    await sleep(SETTLED_MS)
    return Number(readFileSync(file, 'utf8'))
  } finally {
    await server.stop()
    rmSync(file, { force: true })
  }
}

async function countAnew() {
  rmSync(file, { force: true })
  while (!existsSync(file)) await sleep(POLL_MS)
}

const zipped = { headers: { 'accept-encoding': 'gzip' } }
const cancel = (url, position) => ask(`${url}/${idAt(position)}`, { method: 'DELETE' })

/** @type {((url: string) => Promise<unknown>)[]} */
const steps = [
  (url) => ask(url, { method: 'HEAD' }),
  (url) => ask(url),
  (url) => ask(url, zipped),
  (url) => ask(url, zipped),
  (url) => cancel(url, 0),
  (url) => ask(url),
  async (url) => {
    for (let page = 1; page < 900; page++) await cancel(url, page * 1024)
  },
  (url) => ask(url, { method: 'HEAD' }),
  (url) => ask(url.replace(/store\/orders$/, 'pets/0')),
]
