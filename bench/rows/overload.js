// Open load: lists are requested at twice the rate that the server can send, as by many independent clients. A busy loop
// takes most of the server's core, so that this process can generate that load.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterMs, countOf, http1Client, listPath, load } from '../clients.js'
import { KEY, OURS, SERVER_CORE, withServer } from '../servers.js'

const ORDERS = 20_000
const OFFERED = 2
const CLIENTS = 16
const CAPACITY_MS = 3000
const OVERLOAD_MS = 10_000
const TIMEOUT_MS = 10_000
const TICK_MS = 5
/** The server's niceness. The busy loop has 0 and so gets nine times as much of the core. */
const NICE = 10
/** The server's default; the other rows turn the limit off. */
const LIMIT_MS = '250'

/** @typedef {{ goodput: number, p99: number, recovery: number }} Figures in %, ms and s */
/** @typedef {{ status: number, sent: number, received: number }} Response times in ms since the first request */

/** Three rows report the same runs. @type {Map<string, Promise<Figures>>} */
const runs = new Map()

/** @param {keyof Figures} figure */
export const overload = (figure) => ({
  [OURS]: measured(LIMIT_MS, figure),
  'without MAX_EVENT_LOOP_DELAY': measured('0', figure),
})

/** @param {string} limit @param {keyof Figures} figure @returns {(round: number) => Promise<import('../run.js').Sample>} */
function measured(limit, figure) {
  return async (round) => {
    const name = `${limit} ${round}`
    if (!runs.has(name)) runs.set(name, overloadOnce(limit))
    return { value: (await runs.get(name))?.[figure] ?? Number.NaN }
  }
}

/** @param {string} limit @returns {Promise<Figures>} */
async function overloadOnce(limit) {
  const rival = spawn('taskset', ['-c', SERVER_CORE, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' })
  const end = () => rival.kill('SIGKILL')
  process.once('exit', end)
  try {
    const capacity = await withClient('0', async (get) => {
      const responses = await load(get, listPath, { clients: CLIENTS, isOver: afterMs(CAPACITY_MS) })
      return countOf(responses, 200) / CAPACITY_MS
    })
    const responses = await withClient(limit, (get) => offer(get, OFFERED * capacity))
    const lists = responses.filter(({ status }) => status === 200)
    const times = lists.map(({ sent, received }) => received - sent).sort((a, b) => a - b)
    const inTime = lists.filter(({ received }) => received <= OVERLOAD_MS).length
    const recovered = lists.filter(isAfterwards).map(({ received }) => received)
    return {
      goodput: (100 * inTime) / (OVERLOAD_MS * capacity),
      p99: times[Math.floor(0.99 * times.length)] ?? Number.NaN,
      recovery: (Math.min(OVERLOAD_MS + TIMEOUT_MS, ...recovered) - OVERLOAD_MS) / 1000,
    }
  } finally {
    end()
    process.off('exit', end)
  }
}

/**
 * @template T
 * @param {string} limit
 * @param {(get: import('../clients.js').Get) => Promise<T>} use
 */
function withClient(limit, use) {
  return withServer(OURS, { orders: ORDERS, env: { MAX_EVENT_LOOP_DELAY: limit } }, async ({ pid, url }) => {
    setPriority(pid, NICE)
    const { get, close } = http1Client(Number(new URL(url).port), KEY)
    try {
      await get(listPath)
      return await use(get)
    } finally {
      close()
    }
  })
}

/** @param {Response} response */
const isAfterwards = ({ status, sent }) => status === 200 && sent > OVERLOAD_MS

/**
 * Offers the load, and then a request now and then until the server has recovered.
 * @param {import('../clients.js').Get} get
 * @param {number} perMs
 */
async function offer(get, perMs) {
  const begin = performance.now()
  const elapsed = () => performance.now() - begin
  /** @type {Response[]} */
  const responses = []
  let count = 0
  function sendOne() {
    const sent = elapsed()
    const add = (status) => responses.push({ status, sent, received: elapsed() })
    get(listPath).then(add, () => add(0)) // 0 if the connection breaks
  }
  for (; elapsed() < OVERLOAD_MS; await sleep(TICK_MS)) {
    for (; count < elapsed() * perMs; count++) sendOne()
  }
  while (elapsed() < OVERLOAD_MS + TIMEOUT_MS && !responses.some(isAfterwards)) {
    sendOne()
    await sleep(10 * TICK_MS)
  }
  return responses
}
