// Measures the memory cost of readers that stop in the middle of a list.
import { once } from 'node:events'
import { connect } from 'node:net'
import { ask } from '../http.js'
import { ordersFile } from '../orders.js'
import { atRest, memoryOf } from '../proc.js'
import { KEY, start } from '../servers.js'

const READERS = 200
const BYTES_READ = 1_000_000
/** Complete reads before the baseline, so that it includes the cost of a list. */
const LISTS = 3

/** @type {import('../run-row.js').Method} */
export async function stalled(row) {
  const file = await ordersFile(row.orders)
  return { contestants: row.entries.map(({ name, peer }) => ({ name, measure: () => extra(peer, file) })) }
}

async function extra(peer, file) {
  const server = await start(peer, file)
  const readers = []
  try {
    for (let list = 0; list < LISTS; list++) await ask(server.url)
    await atRest(server.pid)
    const before = memoryOf(server.pid).resident
    for (let reader = 0; reader < READERS; reader++) readers.push(await stalledReader(server.url))
    await atRest(server.pid)
    if (readers.some((socket) => socket.destroyed)) throw new Error(`${peer} hung up on a stalled reader`)
    return memoryOf(server.pid).resident - before
  } finally {
    for (const socket of readers) socket.destroy()
    await server.stop()
  }
}

/** A connection that stops reading after the list has begun to arrive. */
async function stalledReader(url) {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${KEY}\r\n\r\n`)
  let read = 0
  await new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the server hung up on a reader')))
    socket.on('data', (chunk) => {
      read += chunk.length
      if (read < BYTES_READ) return
      socket.pause()
      resolve(undefined)
    })
  })
  return socket
}
