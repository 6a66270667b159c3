// Open load: requests arrive at a fixed rate, regardless of the response times, as from many independent clients. A busy
// loop uses most of the server's core, so that this process can generate twice the load that the server can handle.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ordersFile } from '../orders.js'
import { OURS, SERVER_CORE, start, startHttp2 } from '../servers.js'
import { openHttp1, openHttp2 } from './open-clients.js'

/** As multiples of the capacity. */
const OFFERED = 2
const CAPACITY_S = 3
const CLIENTS = 16
const OVERLOAD_S = 10
const TIMEOUT_MS = 10_000
const TICK_MS = 5
/** The server's niceness. The busy loop has 0 and so gets nine times as much of the core. */
const NICE = 10

const protocols = {
  http1: { start: (file, env) => start(OURS, file, env), open: openHttp1 },
  http2: { start: startHttp2, open: openHttp2 },
}

/** @typedef {{ goodput: number, p99: number, recovery: number }} Figures */
/** @typedef {{ status: number, ms: number, at: number }} Response with its time since the beginning, in milliseconds */

/** Three rows show the same runs. @type {Record<string, Promise<Figures>>} */
const runs = {}

/** @type {import('../run-row.js').Method} */
export async function openLoad({ orders, entries, part, isHttp2 }, { say }) {
  const file = await ordersFile(orders)
  const protocol = isHttp2 ? 'http2' : 'http1'
  return {
    contestants: entries.map(({ name, env = {} }) => {
      let round = 0
      async function measure() {
        const run = `${protocol} ${name} ${round++}`
        runs[run] ??= overloadOnce(protocols[protocol], file, env, say)
        const figures = await runs[run]
        return figures?.[/** @type {keyof Figures} */ (part)] ?? Number.NaN
      }
      return { name, measure }
    }),
  }
}

/** @returns {Promise<Figures>} */
async function overloadOnce(protocol, file, env, say) {
  const rival = spawn('taskset', ['-c', SERVER_CORE, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' })
  const end = () => rival.kill('SIGKILL')
  process.once('exit', end) // after an error of a callback, too
  try {
    const capacity = await withServer(protocol, file, { MAX_EVENT_LOOP_DELAY: '0' }, closedLoop)
    say(`${Math.round(capacity)} requests/s are possible, ${Math.round(OFFERED * capacity)} are offered`)
    const responses = await withServer(protocol, file, env, (send) => offer(send, OFFERED * capacity))
    const times = responses.flatMap(({ status, ms }) => (status === 200 ? [ms] : [])).sort((a, b) => a - b)
    const inTime = responses.filter(({ status, at }) => status === 200 && at <= OVERLOAD_S * 1000).length
    return {
      goodput: inTime / OVERLOAD_S / capacity,
      p99: times[Math.floor(0.99 * times.length)] ?? Number.NaN,
      recovery: Math.min(...responses.filter(isRecovered).map(({ at }) => at / 1000)) - OVERLOAD_S,
    }
  } finally {
    end()
    process.off('exit', end)
  }
}

/**
 * @template T
 * @param {(send: import('./open-clients.js').Send) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withServer(protocol, file, env, use) {
  const server = await protocol.start(file, env)
  const { send, close } = protocol.open(server.url)
  try {
    setPriority(server.pid, NICE)
    await new Promise((resolve) => send(resolve))
    return await use(send)
  } finally {
    close()
    await server.stop()
  }
}

/** Clients that send the next request once they have a response. @returns the responses in a second */
async function closedLoop(/** @type {import('./open-clients.js').Send} */ send) {
  const end = performance.now() + CAPACITY_S * 1000
  let count = 0
  async function client() {
    for (; performance.now() < end; count++) await new Promise((resolve) => send(resolve))
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return count / CAPACITY_S
}

/** Sent after the overload. @param {Response} response */
const isRecovered = ({ status, ms, at }) => status === 200 && at - ms > OVERLOAD_S * 1000

/** Offers the load, and then a request now and then. @param {import('./open-clients.js').Send} send @param {number} perSecond */
async function offer(send, perSecond) {
  const begin = performance.now()
  /** @type {Response[]} */
  const responses = []
  let sent = 0
  function sendOne() {
    const before = performance.now()
    send((status) => {
      const now = performance.now()
      responses.push({ status, ms: now - before, at: now - begin })
    })
  }
  for (let ms = 0; ms < OVERLOAD_S * 1000; ms = performance.now() - begin) {
    for (; sent < (ms / 1000) * perSecond; sent++) sendOne()
    await sleep(TICK_MS)
  }
  const end = begin + OVERLOAD_S * 1000 + TIMEOUT_MS
  while (performance.now() < end && !responses.some(isRecovered)) {
    sendOne()
    await sleep(10 * TICK_MS)
  }
  return responses
}
