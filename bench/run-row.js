// Runs one row: each round measures every contestant in turn.
import { beside, waves } from './measure/beside.js'
import { delay } from './measure/delay.js'
import { domainsChange, domainsIdle, domainsMemory, domainsStart } from './measure/domains.js'
import { latency } from './measure/latency.js'
import { peak, resident } from './measure/memory.js'
import { openLoad } from './measure/open-load.js'
import { afterCancel } from './measure/postgres/after-cancel.js'
import { databaseCancels } from './measure/postgres/cancels.js'
import { afterAll, afterShips, logging } from './measure/postgres/changes.js'
import { cpu } from './measure/postgres/cpu.js'
import { firstList, listedMemory } from './measure/postgres/first-list.js'
import { importing } from './measure/postgres/importing.js'
import { unchanged } from './measure/postgres/unchanged.js'
import { requests } from './measure/requests.js'
import { loading, starting } from './measure/seconds.js'
import { stalled } from './measure/stalled.js'
import { median } from './statistics.js'

const postgres = {
  unchanged,
  afterCancel,
  afterShips,
  afterAll,
  logging,
  firstList,
  listedMemory,
  databaseCancels,
  importing,
  cpu,
}
const methods = {
  requests,
  latency,
  delay,
  resident,
  peak,
  stalled,
  openLoad,
  beside,
  waves,
  loading,
  starting,
  domainsStart,
  domainsMemory,
  domainsIdle,
  domainsChange,
  ...postgres,
}

/**
 * @typedef {{ value: number, cpu: number }} Counted `cpu` in µs a request
 * @typedef {{ name: string, rounds?: number, measure: () => Promise<number | Counted> }} Contestant `rounds` if not all
 * @typedef {{ name: string, same: string }} Check
 *
 * @typedef {(row: import('./rows/index.js').Row, options: { seconds: number, say: (text: string) => void }) =>
 *   Promise<{ contestants: Contestant[], checks?: Check[], stop?: () => Promise<void> }>} Method
 *
 * @typedef {{ name: string, values: number[], cpu: number[], median: number, same: string | undefined }} Figure by round;
 *   `cpu` is empty if it is not measured
 * @typedef {{ row: import('./rows/index.js').Row, figures: Figure[] }} Result the server's figure first
 */

/**
 * @param {import('./rows/index.js').Row} row
 * @param {{ rounds: number, seconds: number, say: (text: string) => void }} options
 * @returns {Promise<Result>}
 */
export async function runRow(row, { rounds, seconds, say }) {
  const { contestants, checks = [], stop } = await methods[row.method](row, { seconds, say })
  const measured = contestants.map((contestant) => ({
    ...contestant,
    values: /** @type {number[]} */ ([]),
    cpu: /** @type {number[]} */ ([]),
  }))
  try {
    for (let round = 1; round <= rounds; round++) {
      // Alternates the order, so that no server always follows the same one.
      for (const { name, rounds: most = rounds, measure, values, cpu } of round % 2
        ? measured
        : measured.toReversed()) {
        if (round > most) continue
        say(`round ${round} of ${rounds}: ${name}`)
        const figure = await measure()
        values.push(typeof figure === 'number' ? figure : figure.value)
        if (typeof figure !== 'number') cpu.push(figure.cpu)
      }
    }
  } finally {
    await stop?.()
  }
  const figures = measured.map(({ name, values, cpu }) => ({
    name,
    values,
    cpu,
    median: median(values),
    same: checks.find((check) => check.name === name)?.same,
  }))
  return { row, figures }
}
