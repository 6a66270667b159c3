// The first list of a fresh server, which reads every order: its time beside psql's, and the memory that it leaves taken.
import { drop, envOf, newDatabase } from '../../database.js'
import { ask } from '../../http.js'
import { atRest, memoryOf } from '../../proc.js'
import { OURS, start } from '../../servers.js'
import { contestantsOf } from '../contestants.js'
import { byPage, byPosition, copied } from './copy.js'

/** @type {import('../../run-row.js').Method} */
export async function firstList(row) {
  const database = await newDatabase(row.orders)
  const measures = [
    () => listed(database, ({ seconds }) => seconds),
    ...[byPosition, byPage].map((copy) => () => copied(database, copy)),
  ]
  return { contestants: contestantsOf(row, measures), stop: () => drop(database) }
}

/** @type {import('../../run-row.js').Method} */
export async function listedMemory(row) {
  const database = await newDatabase(row.orders)
  const measure = () => listed(database, ({ resident }) => resident)
  return { contestants: contestantsOf(row, [measure]), stop: () => drop(database) }
}

/** @param {string} database @param {(figures: { seconds: number, resident: number }) => number} choose */
async function listed(database, choose) {
  const server = await start(OURS, undefined, envOf(database))
  try {
    await atRest(server.pid)
    const { seconds, status } = await ask(server.url)
    if (status !== 200) throw new Error(`the list was answered with ${status}`)
    await atRest(server.pid)
    return choose({ seconds, resident: memoryOf(server.pid).resident })
  } finally {
    await server.stop()
  }
}
