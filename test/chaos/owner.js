// What an owner does to the tables while orders change: an action, another service's change, and the action undone.
import { ownerActions } from '../store/postgres/owner-actions.ts'
import { eventually } from './sessions.js'

/** Those that change orders, or show others than the table has, would need a place in the history. */
const unfit = new Set([
  ...['inherit without the trigger that prevents it', 'a table that inherits from orders', 'exchange two columns'],
  'inherit from a table without columns',
  ...['put a copy in the place of orders', 'put a partitioned table in the place of orders', 'move to another schema'],
  ...['restore orders without triggers', 'truncate orders', 'rewrite orders', 'replace the function of the triggers'],
  ...['a foreign key', 'a trigger that changes other orders', 'write as a replica'],
])
const fit = Object.entries(ownerActions).filter(([name]) => !unfit.has(name))

/**
 * @param {import('./trial.js').Trial} trial
 * @param {{ below(limit: number): number }} random
 * @param {<T>(work: (session: import('pg').Client) => Promise<T>) => Promise<T>} atPrimary
 * @param {() => Promise<unknown>} crash
 */
export async function ownAction({ history, nextId }, random, atPrimary, crash) {
  const [name, { apply, undo, isAlone }] = /** @type {(typeof fit)[number]} */ (fit[random.below(fit.length)])
  const isOneTransaction = random.below(2) === 0 && !isAlone
  const crashes = !isOneTransaction && random.below(3) === 0
  console.log(`  ${name}${isOneTransaction ? ', in one transaction' : ''}${crashes ? ', and a crash' : ''}`)
  const id = nextId()
  const change = `INSERT INTO store_orders.orders (id) VALUES (${id})`
  /** @param {string} sql */
  const run = (sql) => atPrimary((session) => session.query(sql))
  const undone = () => run(undo ?? 'SELECT').then(() => true)
  if (isOneTransaction) {
    await history.record({ kind: 'insert', id }, () => run([apply, change, undo ?? ''].join('; ')).then(done))
  } else {
    const isApplied = await run(apply).then(done, () => undefined)
    await history.record({ kind: 'insert', id }, () => run(change).then(done))
    if (crashes) await crash()
    if (isApplied) await eventually(`undone: ${name}`, undone)
  }
}

const done = () => ({ outcome: 'done' })
