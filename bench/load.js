// Drives wrk, on the second core.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { KEY } from './servers.js'

const run = promisify(execFile)
export const LOAD_CORE = '1'
const TIMEOUT_S = 60
const script = fileURLToPath(new URL('wrk/orders.lua', import.meta.url))

/**
 * @typedef {object} Load
 * @property {number} seconds
 * @property {number} [connections]
 * @property {Record<string, string>} [headers]
 * @property {number} [cancelEvery] one in this many requests is a cancellation; 0 for none
 * @property {number} [position] that of the first order to cancel
 * @property {number} [limit] responses after which to stop
 * @property {boolean} [isWarmUp] error responses are not a failure
 * @property {string} [cores]
 */

/**
 * @param {string} url that of the list
 * @param {Load} options
 * @returns {Promise<{ requests: number, perSecond: number, p50: number, p99: number }>} percentiles in ms
 * @throws if a response is missing or not 2xx or 3xx
 */
export async function load(url, options) {
  const {
    seconds,
    connections = 16,
    headers = {},
    cancelEvery = 0,
    position = 0,
    limit = 0,
    isWarmUp,
    cores = LOAD_CORE,
  } = options
  const { stdout } = await run('taskset', [
    ...['-c', cores, 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, `--timeout=${TIMEOUT_S}s`],
    ...Object.entries({ Authorization: `Bearer ${KEY}`, ...headers }).flatMap((header) => ['-H', header.join(': ')]),
    ...['-s', script, url, '--', String(cancelEvery), String(position), String(limit)],
  ])
  const { requests, seconds: lasted, mean, p50, p99, ...errors } = JSON.parse(stdout.slice(stdout.lastIndexOf('{')))
  const { failed, refused, late } = errors
  if (failed + late > 0 || (refused > 0 && !isWarmUp)) {
    throw new Error(`wrk: ${refused} answers other than 2xx and 3xx, ${failed} socket errors, ${late} timeouts`)
  }
  // For sequential requests, response times are more precise than their number.
  return { requests, perSecond: connections === 1 ? 1000 / mean : requests / lasted, p50, p99 }
}
