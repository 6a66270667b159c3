// Clients that list and cancel on all servers, and record the responses.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '../hostile/random.ts'
import { KEY } from './servers.js'

/** @typedef {ReturnType<typeof import('./history.js').newHistory>} History */

const headers = { authorization: `Bearer ${KEY}` }
const LISTS = 10 // one in ten requests
const RECENT = 30
const LONGEST_PAUSE_MS = 20

/** @param {History} history */
export function clientsOf(history) {
  /** The orders by ETag, for 304s. @type {Map<string, number[]>} */
  const lists = new Map()
  let latest = ''

  /** @param {string} origin @param {boolean} isConditional */
  const list = (origin, isConditional) =>
    history.record({ kind: 'list' }, async () => {
      const known = latest
      const condition = isConditional && known ? { 'if-none-match': known } : {}
      const response = await fetch(`${origin}/store/orders`, { headers: { ...headers, ...condition } }).catch(() => {})
      const body = await response?.text().catch(() => undefined)
      if (response?.status === 304) return { shown: lists.get(known) ?? [] }
      if (response?.status === 200 && body !== undefined) {
        const shown = JSON.parse(body).map((/** @type {{ id: number }} */ { id }) => id)
        latest = String(response.headers.get('etag'))
        lists.set(latest, shown)
        return { shown }
      }
      if (response && response.status !== 503 && body !== undefined) history.fail(`a list got ${response.status}`)
      return undefined
    })

  /** @param {string} origin @param {number} id */
  const cancel = (origin, id) =>
    history.record({ kind: 'cancel', id }, async () => {
      const response = await fetch(`${origin}/store/orders/${id}`, { method: 'DELETE', headers })
      const text = await response.text()
      if (response.status === 204) return { outcome: 'done' }
      if (response.status === 409) return { outcome: 'shipped' }
      if (response.status === 404) {
        const isGone = JSON.parse(text).code === 'order_already_cancelled'
        return { outcome: isGone ? 'already_cancelled' : 'not_found' }
      }
      if (response.status !== 503) history.fail(`a cancellation got ${response.status}`)
      throw new Error('unknown')
    })

  return {
    /**
     * Lists and cancels, mostly recent orders, until it is stopped.
     * @param {{ origins: string[], seed: number, newest: () => number, isOver: () => boolean }} options
     */
    async run({ origins, seed, newest, isOver }) {
      const random = randomOf(seed, 0)
      while (!isOver()) {
        const origin = /** @type {string} */ (origins[random.below(origins.length)])
        const among = random.below(2) === 0 ? Math.min(RECENT, newest()) : newest()
        if (random.below(LISTS) === 0) await list(origin, random.below(2) === 0)
        else await cancel(origin, newest() - random.below(among))
        await sleep(random.below(LONGEST_PAUSE_MS))
      }
    },
  }
}
