// Requests per second of servers that all run, each measured in turn.
import { checkAnswers, checkCancels } from '../check.js'
import { databaseEnv } from '../database.js'
import { load } from '../load.js'
import { ordersFile } from '../orders.js'
import { atRest } from '../proc.js'
import { OURS, start } from '../servers.js'
import { saveGzip } from './gzip.js'

/** Times as long as a measurement. */
const WARM_UP = 2
/** Where responses are slow, wait for this many; the check has already warmed the server. */
const ANSWERS = 3
const LONG_S = 1

/**
 * @typedef {object} Running
 * @property {() => Promise<import('../servers.js').Server>} begin
 * @property {import('../servers.js').Server} server
 * @property {(times?: number) => Promise<number>} measure
 */

const notWarm = () => Promise.reject(new Error('measured before the answers are checked'))

/** @type {import('../run-row.js').Method} */
export async function requests(row, { seconds, say }) {
  /** @type {(import('../rows/index.js').Entry & Running)[]} */
  const contestants = []
  const stop = async () => {
    for (const { server } of contestants) await server.stop()
  }
  try {
    const isCancel = row.request?.cancelEvery === 1
    if (isCancel) await checkCancels(row.entries, say)
    const file = await ordersFile(row.orders)
    for (const entry of row.entries) {
      say(`starting ${entry.name}`)
      const isServedZip = row.request?.isZipped && entry.peer !== OURS
      const env = {
        ...entry.env,
        ...(entry.isDatabase && (await databaseEnv(row.orders))),
        ...(isServedZip && { GZIP_FILE: await saveGzip(String(contestants[0]?.server.url)) }),
      }
      const begin = () => start(entry.peer, entry.isDatabase ? undefined : file, env)
      contestants.push({ ...entry, begin, server: await begin(), measure: notWarm })
    }
    const checks = isCancel ? [] : await checkAnswers(contestants, row.request, say)
    for (const contestant of contestants) {
      say(`warming ${contestant.name}`)
      const answer = checks.find(({ name }) => name === contestant.name)
      contestant.measure = measureOf(contestant, row, seconds, answer)
      if (!answer || answer.seconds < LONG_S) await contestant.measure(WARM_UP)
    }
    return { contestants, checks, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Measures one server. Its cancellations go on where the last ones stopped, and in a fresh one when orders run short. */
function measureOf(contestant, row, seconds, answer) {
  const { name, connections = 16 } = contestant
  const { cancelEvery = 0 } = contestant.request ?? row.request ?? {}
  const headers = answer?.requestHeaders
  const lasting = Math.max(seconds * (row.lasts ?? 1), Math.ceil(ANSWERS * (answer?.seconds ?? 0)))
  let position = 0
  let last = 0

  return async function measure(times = 1) {
    if (position > 0 && position + 1.5 * last > row.orders) {
      await contestant.server.stop()
      contestant.server = await contestant.begin()
      position = 0
      await measure(WARM_UP)
    }
    const { url, pid } = contestant.server
    const asked = { seconds: lasting * times, connections, headers, cancelEvery, position }
    const { requests, perSecond } = await load(url, asked).catch((error) => {
      throw new Error(`${row.name}, ${name}: ${error.message}`)
    })
    await atRest(pid)
    if (cancelEvery === 0) return perSecond
    const cancels = Math.ceil((requests + connections + 1) / cancelEvery) + 1
    position += cancels
    last = cancels / times
    return cancelEvery === 1 ? perSecond : perSecond * (1 - 1 / cancelEvery) // only the lists of a mixture
  }
}
