// Clients and another service work over all servers while something fails; then every answer is held against the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { judge } from './judge.js'
import { client, ledger } from './load.js'
import { randomOf } from './random.js'
import { eventually } from './sessions.js'

const CLIENTS = 12
/** Ids from 1 on are in the database when a trial begins. */
export const FIRST_ORDERS = 3000

/**
 * @param {object} options
 * @param {number} options.seed
 * @param {string[]} options.origins of the servers
 * @param {<T>(work: (session: import('pg').Client) => Promise<T>) => Promise<T>} options.atPrimary
 * @param {() => Promise<unknown>} options.disturb resolves when nothing fails any more
 * @returns {Promise<boolean>} whether all answers agree with the database
 */
export async function trial({ seed, origins, atPrimary, disturb }) {
  const book = ledger()
  let isOver = false
  let newest = FIRST_ORDERS
  const options = { origins, newest: () => newest, book, isOver: () => isOver }

  /** Another service: it inserts and ships with plain SQL, and takes what failed for not done, or done. */
  async function writer() {
    const from = randomOf(seed + 1000)
    while (!isOver) {
      await atPrimary(async (session) => {
        await session.query('INSERT INTO store_orders.orders (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [
          newest + 1,
        ])
        newest++
        const id = 1 + from.below(newest)
        await session.query("UPDATE store_orders.orders SET status = 'shipped' WHERE id = $1 AND status = 'pending'", [
          id,
        ])
      }).catch(() => {})
      await sleep(5)
    }
  }

  const load = [...Array.from({ length: CLIENTS }, (_, index) => client({ ...options, seed: seed + index })), writer()]
  const failure = await disturb().then(
    () => undefined,
    (error) => error,
  )
  isOver = true
  await Promise.all(load)
  const { rows } = await eventually('all orders are read', () =>
    atPrimary((session) => session.query('SELECT id, status FROM store_orders.orders')),
  )
  return isSound(seed, book, failure ? [String(failure)] : judge(book, rows))
}

/** @param {number} seed @param {ReturnType<typeof ledger>} book @param {string[]} wrong */
function isSound(seed, { orders, counts }, wrong) {
  const won = [...orders.values()].filter((told) => told.won > 0).length
  const { lists, cancels, faults, longest } = counts
  console.log(
    `${lists} lists, ${cancels} cancels, ${won} orders cancelled, ${faults} answered with 503 or cut off, longest ${(longest / 1000).toFixed(1)} s`,
  )
  for (const line of wrong.slice(0, 20)) console.log(`WRONG: ${line}`)
  if (won === 0 || lists === 0) wrong.push('nothing was tried')
  console.log(
    wrong.length === 0 ? 'All answers agree with the database.' : `${wrong.length} contradictions, seed ${seed}`,
  )
  return wrong.length === 0
}
