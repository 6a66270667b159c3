// Sends load with wrk, and single requests, and counts the CPU time that a request costs the server.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atRest, cpuOf } from './proc.js'
import { KEY, LOAD_CORE } from './servers.js'

const run = promisify(execFile)
/** CPU time, since a busy machine takes longer for the same work. At first, code is still being compiled. */
const WARM_UP_US = 3_000_000
const MEASURED_US = 1_000_000
/** Ends either for a server that mostly waits. */
const LIMIT_MS = 30_000
const SLICE_S = 2
const TIMEOUT_S = 60
const script = fileURLToPath(new URL('wrk.lua', import.meta.url))

/**
 * @typedef {object} Load
 * @property {number} [connections]
 * @property {Record<string, string>} [headers]
 * @property {number} [cancelEvery] one in this many requests is a DELETE; 0 for none
 * @property {string} [cores]
 * @property {() => Promise<number>} [spent] CPU time so far in µs; the server's by default
 */

/**
 * The load on a server that is warm.
 * @param {import('./servers.js').Server} server
 * @param {Load} options
 * @returns {Promise<{ value: number, cpu: number, p50: number }>} requests per second, µs of CPU per request, the last
 *   slice's median in ms
 */
export async function load({ pid, url }, { spent = async () => cpuOf(pid), ...options }) {
  let position = 0
  /** Sends load until that much CPU time is spent. */
  async function use(us) {
    const [begin, before, total] = [performance.now(), await spent(), { requests: 0, seconds: 0, p50: 0 }]
    do {
      const { requests, seconds, p50, next } = await wrk(url, { ...options, seconds: SLICE_S, position })
      position = next
      total.requests += requests
      total.seconds += seconds
      total.p50 = p50
    } while (total.requests === 0 || ((await spent()) - before < us && performance.now() - begin < LIMIT_MS))
    await atRest(pid)
    return total
  }
  await use(WARM_UP_US)
  const before = await spent()
  const { requests, seconds, p50 } = await use(MEASURED_US)
  return { value: requests / seconds, cpu: ((await spent()) - before) / requests, p50 }
}

/** @throws if a response is missing, or neither 2xx nor 3xx */
async function wrk(url, { connections = 16, headers = {}, cancelEvery = 0, cores = LOAD_CORE, seconds, position }) {
  const { stdout } = await run('taskset', [
    ...['-c', cores, 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, `--timeout=${TIMEOUT_S}s`],
    ...Object.entries({ Authorization: `Bearer ${KEY}`, ...headers }).flatMap((header) => ['-H', header.join(': ')]),
    ...['-s', script, url, '--', String(cancelEvery), String(position)],
  ])
  const { failed, rejected, late, ...figures } = JSON.parse(stdout.slice(stdout.lastIndexOf('{')))
  if (failed + rejected + late > 0) {
    throw new Error(`${url}: ${rejected} responses neither 2xx nor 3xx, ${failed} socket errors, ${late} timeouts`)
  }
  return { ...figures, next: position + figures.requests + connections + 1 }
}

/** @param {string} url @param {import('node:http').RequestOptions} [options] */
export async function send(url, { headers, ...options } = {}) {
  const begin = performance.now()
  const sent = request(url, { ...options, headers: { authorization: `Bearer ${KEY}`, ...headers } }).end()
  const [response] = await once(sent, 'response')
  const firstByte = performance.now() - begin
  const chunks = []
  for await (const chunk of response) chunks.push(chunk)
  const { statusCode: status, headers: received } = response
  return { status, headers: received, body: Buffer.concat(chunks), firstByte, ms: performance.now() - begin }
}
