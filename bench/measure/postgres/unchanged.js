// How long a client that has the list waits to hear that it is still the same, beside SELECT 1.
import assert from 'node:assert/strict'
import { drop, envOf, newDatabase } from '../../database.js'
import { ask } from '../../http.js'
import { load } from '../../load.js'
import { OURS, start } from '../../servers.js'
import { contestantsOf } from '../contestants.js'
import { storeAlone } from './store.js'

const WARM_UP_S = 1

/** @type {import('../../run-row.js').Method} */
export async function unchanged(row, { seconds }) {
  const database = await newDatabase(row.orders)
  const server = await start(OURS, undefined, envOf(database))
  const stop = async () => {
    await server.stop()
    await drop(database)
  }
  try {
    const { headers } = await ask(server.url)
    const known = { 'If-None-Match': String(headers.etag) }
    assert.equal((await ask(server.url, { headers: known })).status, 304)
    const answers = (lasting) => load(server.url, { seconds: lasting, connections: 1, headers: known })
    await answers(WARM_UP_S)
    const alone = { database, seconds, orders: row.orders }
    const measures = [
      async () => (await answers(seconds)).p50,
      () => storeAlone('select', alone),
      () => storeAlone('unchanged', alone),
    ]
    return { contestants: contestantsOf(row, measures), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
