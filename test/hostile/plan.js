// The connections of a batch. A number has the same script in every run with the same seed.
import { randomOf } from './random.js'
import { broken } from './requests/broken.js'
import { limits } from './requests/limits.js'
import { brokenBytes } from './requests/odd.js'
import { finAt, half, mutant, noise, resetAt } from './scripts/cuts.js'
import { byteByByte, connect, halfClose, pipeline, rejectedWith } from './scripts/pipelines.js'

/**
 * @typedef {import('./types.js').Source} Source
 * @typedef {import('./types.js').Script} Script
 */

/** Numbers of connections: the first of each part of a batch, and those of a batch. */
export const numbers = { batch: 100_000, domains: 60_000, idle: 80_000, slow: 90_000 }

/** The lengths of the requests that are cut at each byte. */
const CUT_BYTES = 200

/** Each is played completely in every batch. @type {readonly { count: number, make: (source: Source, at: number, batch: number) => Script }[]} */
const sweeps = [
  { count: broken.length, make: brokenAlone },
  { count: limits.length, make: atLimit },
  { count: CUT_BYTES, make: (source, at, batch) => resetAt(source, at + 1, batch) },
  { count: CUT_BYTES, make: (source, at) => finAt(source, at + 1) },
]

/** With their weights. @type {readonly (readonly [number, (source: Source) => Script])[]} */
const kinds = [
  [60, pipeline],
  [10, half],
  [10, mutant],
  [8, noise],
  [6, connect],
  [3, byteByByte],
  [3, halfClose],
]

/** @param {import('./types.js').World} world @param {number} seed @param {number} number @returns {Source} */
export function sourceOf(world, seed, number) {
  return { world, random: randomOf(seed, number), number, touches: [] }
}

/** @param {Source} source */
export function scriptOf(source) {
  let at = source.number % numbers.batch
  for (const { count, make } of sweeps) {
    if (at < count) return make(source, at, Math.floor(source.number / numbers.batch))
    at -= count
  }
  return anyScript(source)
}

/** @param {Source} source */
export function anyScript(source) {
  return source.random.weighted(kinds)(source)
}

/** The number of requests in a script, without optional ones and those after a rejection. @param {Script} script */
export function requestsOf({ responses }) {
  return Math.max(1, responses.filter(({ isOptional }) => !isOptional).length)
}

/** @param {Source} source @param {number} at @returns {Script} */
function brokenAlone(source, at) {
  const fault = /** @type {import('./requests/broken.js').Broken} */ (broken[at])
  return {
    kind: `broken: ${fault.name}`,
    pieces: [brokenBytes(source, fault)],
    responses: [rejectedWith(fault)],
    end: 'wait',
    touches: source.touches,
  }
}

/** @param {Source} source @param {number} at @returns {Script} */
function atLimit(source, at) {
  const limit = /** @type {typeof limits[0]} */ (limits[at])
  const { bytes, statuses, order, isRejection } = limit(source)
  const method = bytes.toString('latin1', 0, bytes.indexOf(' '))
  const closes = isRejection ? 'must' : 'may'
  const response = {
    method,
    statuses,
    closes: /** @type {'must' | 'may'} */ (closes),
    ...(order !== undefined && { order }),
  }
  const end = isRejection ? 'wait' : 'fin'
  return {
    kind: `limit ${at}: ${statuses.join(' or ')}`,
    pieces: [bytes],
    responses: [response],
    end,
    touches: source.touches,
    isLossy: true,
  }
}
