// Clients and another service use all servers while something fails; then Porcupine checks every response.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '../hostile/random.ts'
import { buildChecker, isLegal, newHistory, tampered } from './history.js'
import { clientsOf } from './load.js'
import { eventually } from './sessions.js'

const CLIENTS = 8
/** A trial begins with the ids from 1 to this in the database. */
export const FIRST_ORDERS = 300
const WRITER_PAUSE_MS = 25
const RECENT = 30
/** After one in four orders. */
const REPLACED = 4

/** @typedef {{ history: ReturnType<typeof newHistory>, nextId: () => number }} Trial */

/**
 * @param {object} options
 * @param {number} options.seed
 * @param {string[]} options.origins of the servers
 * @param {<T>(work: (session: import('pg').Client) => Promise<T>) => Promise<T>} options.atPrimary
 * @param {(trial: Trial) => Promise<unknown>} options.disturb resolves when all faults have ended
 * @returns {Promise<boolean>} whether all responses can be explained
 */
export async function trial({ seed, origins, atPrimary, disturb }) {
  buildChecker()
  const history = newHistory()
  let isOver = false
  let newest = FIRST_ORDERS
  for (let id = 1; id <= newest; id++) history.operations.push({ kind: 'insert', id, begin: 0, end: 0 })

  /** Another service: it inserts and ships with plain SQL, and replaces orders by pending ones of the same id. */
  async function writer() {
    const random = randomOf(seed, 1000)
    while (!isOver) {
      const id = ++newest
      await history.record({ kind: 'insert', id }, async () => {
        await atPrimary((session) => session.query('INSERT INTO store_orders.orders (id) VALUES ($1)', [id]))
        return { outcome: 'done' }
      })
      const shipped = newest - random.below(RECENT)
      if (uncertain.has(shipped)) continue
      await history.record({ kind: 'ship', id: shipped }, async () => {
        const ship = "UPDATE store_orders.orders SET status = 'shipped' WHERE id = $1 AND status = 'pending'"
        const { rowCount } = await atPrimary((session) => session.query(ship, [shipped]))
        return { outcome: rowCount === 1 ? 'done' : 'none' }
      })
      if (random.below(REPLACED) === 0) await replace(newest - random.below(RECENT))
      await sleep(WRITER_PAUSE_MS)
    }
  }

  /** Whose replacement may still run: an UPDATE that waits for it finds neither the old order nor the new one. */
  const uncertain = new Set()

  /** @param {number} id */
  const replace = (id) =>
    history.record({ kind: 'replace', id }, async () => {
      uncertain.add(id)
      const sql = `DELETE FROM store_orders.orders WHERE id = ${id}; INSERT INTO store_orders.orders (id) VALUES (${id})`
      await atPrimary((session) => session.query(sql)) // one transaction
      uncertain.delete(id)
      return { outcome: 'done' }
    })

  const clients = clientsOf(history)
  const options = { origins, newest: () => newest, isOver: () => isOver }
  const load = Array.from({ length: CLIENTS }, (_, index) => clients.run({ ...options, seed: seed + index }))
  const writing = writer()
  await disturb({ history, nextId: () => ++newest }).catch((error) => history.fail(String(error)))
  isOver = true
  await Promise.all([...load, writing])
  await recordStatuses(history, newest, atPrimary)
  return isSound(seed, history)
}

/**
 * @param {ReturnType<typeof newHistory>} history
 * @param {number} newest
 * @param {(work: (session: import('pg').Client) => Promise<import('pg').QueryResult>) => Promise<import('pg').QueryResult>} atPrimary
 */
async function recordStatuses(history, newest, atPrimary) {
  const select = 'SELECT id::integer, status FROM store_orders.orders'
  const begin = Math.round(performance.now() * 1e6)
  const { rows } = await eventually('all orders are read', () => atPrimary((session) => session.query(select)))
  const end = Math.round(performance.now() * 1e6)
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  for (let id = 1; id <= newest; id++)
    history.operations.push({ kind: 'status', id, outcome: statuses.get(id) ?? 'absent', begin, end })
}

/** @param {number} seed @param {ReturnType<typeof newHistory>} history */
async function isSound(seed, { operations, failures }) {
  /** @param {string} kind @param {string} [outcome] */
  const count = (kind, outcome) =>
    operations.filter((each) => each.kind === kind && (outcome === undefined || each.outcome === outcome)).length
  console.log(
    `${count('list')} lists, ${count('cancel')} cancellations, ${count('cancel', 'done')} of them successful, ` +
      `${count('cancel', 'unknown')} with an unknown outcome`,
  )
  if (!(await isLegal(operations))) failures.push('no order of the operations explains every response')
  for (const [lie, lies] of tampered(operations))
    if (await isLegal(lies)) failures.push(`the checker did not notice ${lie}`)
  for (const failure of failures.slice(0, 20)) console.log(`WRONG: ${failure}, seed ${seed}`)
  if (failures.length === 0) console.log('Every response can be explained.')
  return failures.length === 0
}
