// Beside an attack that costs the server no time: what eight clients get, as a share of what they get without it.
import { setTimeout as sleep } from 'node:timers/promises'
import { halfRequests, http1Client, listPath, load, unreadLists } from '../../test/hostile/overload/clients.js'
import { afterMs, countOf, unjustRejections } from '../../test/hostile/overload/responses.js'
import { ordersFile } from '../orders.js'
import { atRest } from '../proc.js'
import { BOTH_CORES, KEY, start } from '../servers.js'

const CLIENTS = 8
const WARM_UP = 3
const attacks = { halfRequests, unreadLists }
/** That of the first order. */
const petPath = '/v1/pets/10000'

/** @type {import('../run-row.js').Method} */
export async function beside({ orders, entries, attack }, { seconds }) {
  const file = await ordersFile(orders)
  const attackWith = attacks[/** @type {keyof typeof attacks} */ (attack)]
  return {
    contestants: entries.map(({ name, peer, env }) => ({
      name,
      measure: () => share(attackWith, () => start(peer, file, env, BOTH_CORES), seconds * 1000),
    })),
  }
}

/** The responses beside the attack, over the mean of those before and after it. */
async function share(attack, startServer, ms) {
  const server = await startServer()
  const port = Number(new URL(server.url).port)
  const { get, close } = http1Client(port, KEY)
  const responses = async () => countOf(await load(get, petPath, { clients: CLIENTS, isOver: afterMs(ms) }), 200)
  try {
    for (let warm = 0; warm < WARM_UP; warm++) await responses() // so that everything is compiled
    const before = await responses()
    const stop = await attack(port, KEY)
    await get(listPath) // which begins after those of the attack
    await atRest(server.pid) // has written what the sockets of the attack take
    const besides = await responses()
    stop()
    await atRest(server.pid)
    return (2 * besides) / (before + (await responses()))
  } finally {
    close()
    await server.stop()
  }
}

/** The default of the server. */
const LIMIT_MS = 250
const QUIET_MS = 4000
const WAVE_MS = 2000

/** Requests that were rejected although no response took long. @type {import('../run-row.js').Method} */
export async function waves({ orders, entries, clients = 0 }) {
  const file = await ordersFile(orders)
  return {
    contestants: entries.map(({ name, peer, env }) => ({
      name,
      measure: () => unjust(() => start(peer, file, env, BOTH_CORES), clients),
    })),
  }
}

async function unjust(startServer, clients) {
  const server = await startServer()
  const { get, close } = http1Client(Number(new URL(server.url).port), KEY)
  const wave = () => load(get, listPath, { clients, isOver: afterMs(WAVE_MS) })
  try {
    const responses = await wave()
    await sleep(QUIET_MS)
    responses.push(...(await wave()))
    return unjustRejections(responses, LIMIT_MS)
  } finally {
    close()
    await server.stop()
  }
}
