// Judges the responses of many clients, and when they have enough.

/** @typedef {import('./clients.js').Response} Response */

/** The server measures half a second before it rejects any request, and waits of less than half its limit are short. */
const INTERVAL_MS = 500
const SHORT = 0.5

/**
 * Rejections while every list or other request of the same kind got its response in a short time.
 * @param {readonly Response[]} responses @param {number} limit milliseconds
 */
export function unjustRejections(responses, limit) {
  const slow = responses.filter(({ status, ms }) => status === 200 && ms >= SHORT * limit)
  return responses.filter(({ status, at, ms }) => {
    const isAmong = (/** @type {Response} */ other) => other.at <= at + ms && other.at + other.ms >= at - INTERVAL_MS
    return status !== 200 && !slow.some(isAmong)
  }).length
}

/** @param {readonly Response[]} responses @param {number} wanted */
export const countOf = (responses, wanted) => responses.filter(({ status }) => status === wanted).length

/** @param {readonly Response[]} responses */
export function summaryOf(responses) {
  const times = responses.flatMap(({ status, ms }) => (status === 200 ? [ms] : []))
  const slowest = times.reduce((most, ms) => Math.max(most, ms), 0)
  return `${times.length} responses, the slowest after ${Math.round(slowest)} ms, ${countOf(responses, 503)} rejections`
}

/** @param {number} ms */
export function afterMs(ms) {
  const end = performance.now() + ms
  return () => performance.now() >= end
}

/** @param {number} ms at most */
export function onceRejected(ms) {
  const isLate = afterMs(ms)
  return (/** @type {readonly Response[]} */ responses) => isLate() || responses.at(-1)?.status === 503
}
