// A proxy to PostgreSQL that can cut connections in the middle of a result.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** @param {number} port */
export async function cuttingProxy(port) {
  let toCut = 0
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', () => {}).on('close', end)
    client.pipe(upstream)
    upstream.on('data', (data) => {
      if (toCut === 0) {
        client.write(data)
        return
      }
      toCut--
      client.write(data.subarray(0, data.length / 2), end)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port: own } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    port: own,
    /** Cuts the next results in half. @param {number} count */
    cut(count) {
      toCut = count
    },
  }
}
