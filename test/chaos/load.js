// Clients that list and cancel over all servers, and remember what they were told.
import { randomOf } from './random.js'
import { KEY } from './servers.js'

const headers = { authorization: `Bearer ${KEY}` }

/**
 * @typedef {object} Told what clients were told of one order
 * @property {number} won answers of 204
 * @property {number} gone answers of 404 `order_already_cancelled`
 * @property {number} missing answers of 404 `order_not_found`
 * @property {number} shipped answers of 409
 * @property {number} unknown answers of 503, or none
 */

export function ledger() {
  /** @type {Map<number, Told>} */
  const orders = new Map()
  return {
    orders,
    counts: { lists: 0, cancels: 0, faults: 0, longest: 0 },
    /** What no client may see. @type {string[]} */
    violations: /** @type {string[]} */ ([]),
    /** @param {number} id @param {keyof Told} what */
    note(id, what) {
      const record = orders.get(id) ?? { won: 0, gone: 0, missing: 0, shipped: 0, unknown: 0 }
      record[what]++
      orders.set(id, record)
    },
  }
}

/**
 * Lists and cancels until it is told to stop. A list may not show what this client knows to be cancelled.
 * @param {{ origins: string[], seed: number, newest: () => number, book: ReturnType<typeof ledger>, isOver: () => boolean }} options
 */
export async function client({ origins, seed, newest, book, isOver }) {
  const random = randomOf(seed)
  const origin = () => /** @type {string} */ (origins[random.below(origins.length)])
  /** Orders that this client was told are cancelled. @type {Set<number>} */
  const known = new Set()
  while (!isOver()) {
    const began = performance.now()
    if (random.below(4) === 0) await list(origin(), known, book)
    else await cancel(origin(), 1 + random.below(newest()), known, book)
    book.counts.longest = Math.max(book.counts.longest, performance.now() - began)
  }
}

/** @param {string} origin @param {Set<number>} known @param {ReturnType<typeof ledger>} book */
async function list(origin, known, book) {
  const expected = [...known]
  const response = await fetch(`${origin}/store/orders`, { headers }).catch(() => undefined)
  const body = await response?.text().catch(() => undefined)
  if (response?.status !== 200 || body === undefined) {
    book.counts.faults++
    if (response && response.status !== 503 && body !== undefined)
      book.violations.push(`a list was answered with ${response.status}`)
    return
  }
  book.counts.lists++
  const shown = new Set(JSON.parse(body).map((/** @type {{ id: number }} */ { id }) => id))
  for (const id of expected)
    if (shown.has(id)) book.violations.push(`order ${id} was listed after it was known to be cancelled`)
}

/** @type {{ [status: number]: keyof Told }} */
const meanings = { 204: 'won', 409: 'shipped', 503: 'unknown' }

/** @param {string} origin @param {number} id @param {Set<number>} known @param {ReturnType<typeof ledger>} book */
async function cancel(origin, id, known, book) {
  const response = await fetch(`${origin}/store/orders/${id}`, { method: 'DELETE', headers }).catch(() => undefined)
  const body =
    response?.status === 404 ? await response.json().catch(() => ({})) : await response?.text().catch(() => '')
  book.counts.cancels++
  let what = response ? meanings[response.status] : 'unknown'
  if (response?.status === 404)
    what = /** @type {{ code?: string }} */ (body).code === 'order_already_cancelled' ? 'gone' : 'missing'
  if (!what) return void book.violations.push(`a cancel was answered with ${response?.status}`)
  if (what === 'unknown') book.counts.faults++
  if (what === 'won' || what === 'gone') known.add(id)
  book.note(id, what)
}
