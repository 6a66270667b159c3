// Open load: requests arrive at a fixed rate, regardless of the response times, as from many independent clients. A busy
// loop uses most of the server's core, so that this process can generate twice the load that the server can handle.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../http.js'
import { load } from '../load.js'
import { ordersFile } from '../orders.js'
import { KEY, OURS, SERVER_CORE, start } from '../servers.js'

/** As multiples of the capacity. */
const OFFERED = 2
const CAPACITY_S = 3
const OVERLOAD_S = 10
const TIMEOUT_MS = 10_000
const TICK_MS = 5
/** The server's niceness. The busy loop has 0 and so gets nine times as much of the core. */
const NICE = 10
/** The server's default, which other rows turn off. */
const defaults = { MAX_EVENT_LOOP_DELAY: '' }

/** @typedef {{ goodput: number, p99: number, recovery: number }} Figures */

/** Three rows show the same runs, one a round. @type {Promise<Figures>[]} */
const runs = []

/** @type {import('../run-row.js').Method} */
export async function openLoad({ orders, entries, part }, { say }) {
  const file = await ordersFile(orders)
  let round = 0
  async function measure() {
    runs[round] ??= overloadOnce(file, say)
    const figures = await runs[round++]
    return figures?.[/** @type {keyof Figures} */ (part)] ?? Number.NaN
  }
  return { contestants: entries.map(({ name }) => ({ name, measure })) }
}

/** @param {string} file @param {(text: string) => void} say @returns {Promise<Figures>} */
async function overloadOnce(file, say) {
  const rival = spawn('taskset', ['-c', SERVER_CORE, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' })
  try {
    const capacity = await withServer(file, {}, async (url) => (await load(url, { seconds: CAPACITY_S })).perSecond)
    say(`${Math.round(capacity)} requests/s are possible, ${Math.round(OFFERED * capacity)} are offered`)
    const responses = await withServer(file, defaults, (url) => offer(url, OFFERED * capacity))
    const times = responses.flatMap(({ status, ms }) => (status === 200 ? [ms] : [])).sort((a, b) => a - b)
    const inTime = responses.filter(({ status, at }) => status === 200 && at <= OVERLOAD_S * 1000).length
    return {
      goodput: inTime / OVERLOAD_S / capacity,
      p99: times[Math.floor(0.99 * times.length)] ?? Number.NaN,
      recovery: Math.min(...responses.filter(isRecovered).map(({ at }) => at / 1000)) - OVERLOAD_S,
    }
  } finally {
    rival.kill('SIGKILL')
  }
}

/**
 * @template T
 * @param {string} file @param {Record<string, string>} env @param {(url: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withServer(file, env, use) {
  const server = await start(OURS, file, env)
  try {
    setPriority(server.pid, NICE)
    await ask(server.url)
    return await use(server.url)
  } finally {
    await server.stop()
  }
}

/** Sent after the overload. @param {{ status: number, ms: number, at: number }} response */
const isRecovered = ({ status, ms, at }) => status === 200 && at - ms > OVERLOAD_S * 1000

/** Offers the load, and then a request now and then. Times are milliseconds since the beginning. @param {string} url @param {number} perSecond */
async function offer(url, perSecond) {
  const client = openClient(url)
  const begin = performance.now()
  /** @type {{ status: number, ms: number, at: number }[]} */
  const responses = []
  let sent = 0
  function send() {
    const before = performance.now()
    client.send((status) => {
      const now = performance.now()
      responses.push({ status, ms: now - before, at: now - begin })
    })
  }
  for (let ms = 0; ms < OVERLOAD_S * 1000; ms = performance.now() - begin) {
    for (; sent < (ms / 1000) * perSecond; sent++) send()
    await sleep(TICK_MS)
  }
  const end = begin + OVERLOAD_S * 1000 + TIMEOUT_MS
  while (performance.now() < end && !responses.some(isRecovered)) {
    send()
    await sleep(10 * TICK_MS)
  }
  client.close()
  return responses
}

/** Each request has a connection of its own until its response is whole; idle ones are used again. @param {string} url */
function openClient(url) {
  const { hostname, port, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${KEY}\r\n\r\n`
  /** @type {Set<import('node:net').Socket>} */
  const all = new Set()
  /** @type {((done: (status: number) => void) => void)[]} */
  const idle = []

  function open() {
    const socket = connect(Number(port), hostname)
    all.add(socket)
    /** @type {(status: number) => void} */
    let done = () => {}
    let [status, left] = [0, 0]
    socket.on('data', (chunk) => {
      if (left === 0) {
        const head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n') + 4)
        status = Number(head.slice(9, 12))
        left = head.length + Number(/^content-length: (\d+)/im.exec(head)?.[1])
      }
      left -= chunk.length
      if (left > 0) return
      idle.push(use)
      done(status)
    })
    socket.on('error', () => done(0))
    function use(/** @type {(status: number) => void} */ callback) {
      done = callback
      socket.write(request)
    }
    return use
  }

  return {
    /** @param {(status: number) => void} done with 0 if the connection breaks */
    send: (done) => (idle.pop() ?? open())(done),
    close() {
      for (const socket of all) socket.destroy()
    },
  }
}
