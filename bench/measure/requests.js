// Measures requests per second and CPU time per request. Each round starts fresh servers and measures them in turn.
import { checkAnswers, checkCancels } from '../check.js'
import { databaseEnv } from '../database.js'
import { ask } from '../http.js'
import { load } from '../load.js'
import { ordersFile } from '../orders.js'
import { atRest, cpuOf } from '../proc.js'
import { OURS, start } from '../servers.js'
import { askZipped, saveGzip } from './gzip.js'

/** As a multiple of the measurement. */
const WARM_UP = 2
/** With slow responses, measure until this many. */
const RESPONSES = 3
/** If a response takes this many seconds, a single warm-up request and one round suffice. */
const LONG_S = 1
const LONG_ROUNDS = 1

/** @typedef {import('../rows/index.js').Entry & { begin: () => Promise<import('../servers.js').Server> }} Contestant */

/** @type {import('../run-row.js').Method} */
export async function requests(row, { seconds, say }) {
  const isCancel = row.request?.cancelEvery === 1
  const contestants = await contestantsOf(row)
  if (isCancel) await checkCancels(row.entries, say)
  const checks = isCancel ? [] : await checkAll(contestants, row.request, say)
  return {
    checks,
    contestants: contestants.map((contestant) => {
      const answer = checks.find(({ name }) => name === contestant.name)
      return {
        name: contestant.name,
        ...(isLong(answer) && { rounds: LONG_ROUNDS }),
        measure: measureOf(contestant, row, seconds, answer),
      }
    }),
  }
}

const isLong = (answer) => answer?.seconds >= LONG_S

/** @param {import('../rows/index.js').Row} row @returns {Promise<Contestant[]>} */
async function contestantsOf(row) {
  const file = await ordersFile(row.orders)
  const gzipFile = row.request?.isZipped ? await gzipOf(file) : undefined
  const contestants = []
  for (const entry of row.entries) {
    const env = {
      ...entry.env,
      ...(entry.isDatabase && (await databaseEnv(row.orders))),
      ...(gzipFile && entry.peer !== OURS && { GZIP_FILE: gzipFile }),
    }
    contestants.push({ ...entry, begin: () => start(entry.peer, entry.isDatabase ? undefined : file, env) })
  }
  return contestants
}

async function gzipOf(file) {
  const server = await start(OURS, file)
  try {
    return await saveGzip(server.url)
  } finally {
    await server.stop()
  }
}

async function checkAll(contestants, request, say) {
  /** @type {(Contestant & { server: import('../servers.js').Server })[]} */
  const started = []
  try {
    for (const contestant of contestants) {
      say(`starting ${contestant.name}`)
      started.push({ ...contestant, server: await contestant.begin() })
    }
    return await checkAnswers(started, request, say)
  } finally {
    for (const { server } of started) await server.stop()
  }
}

/** Measures a fresh server after a warm-up. Cancellations continue after those of the warm-up. */
function measureOf(contestant, row, seconds, answer) {
  const { name, begin, connections = 16 } = contestant
  const { cancelEvery = 0 } = contestant.request ?? row.request ?? {}
  const headers = answer?.requestHeaders
  const lasting = Math.max(seconds * (row.lasts ?? 1), Math.ceil(RESPONSES * (answer?.seconds ?? 0)))

  return async function measure() {
    const server = await begin()
    const under = ({ seconds, position = 0 }) =>
      load(server.url, { seconds, connections, headers, cancelEvery, position }).catch((error) => {
        throw new Error(`${row.name}, ${name}: ${error.message}`)
      })
    try {
      let position = 0
      if (row.request?.isZipped) await askZipped(server.url) // under load, compression takes longer than the warm-up
      if (isLong(answer)) {
        await ask(server.url, { headers })
      } else {
        const { requests } = await under({ seconds: lasting * WARM_UP })
        if (cancelEvery > 0) position = Math.ceil((requests + connections + 1) / cancelEvery) + 1
      }
      await atRest(server.pid)
      const before = cpuOf(server.pid)
      const { requests, perSecond } = await under({ seconds: lasting, position })
      await atRest(server.pid)
      return {
        value: cancelEvery > 1 ? perSecond * (1 - 1 / cancelEvery) : perSecond, // counts only the lists of a mix
        cpu: (cpuOf(server.pid) - before) / requests,
      }
    } finally {
      await server.stop()
    }
  }
}
