// The benchmark: npm run bench -- [row or family …] [--rounds 3] [--machine 'two shared cores']
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { endDatabases } from './database.js'
import { linesOf, markdown, printed } from './report.js'
import * as domains from './rows/domains.js'
import { overload } from './rows/overload.js'
import * as postgres from './rows/postgres.js'
import * as processes from './rows/processes.js'
import * as requests from './rows/requests.js'
import { EXPRESS, FASTIFY, LOAD_CORE, moveTo, NGINX, OURS } from './servers.js'
import { missingTools, versions } from './tools.js'

/**
 * @typedef {{ value: number, cpu?: number }} Sample `cpu` in µs
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title
 * @property {string} unit of the values
 * @property {Record<string, (round: number) => Promise<Sample>>} figures measured in turn
 * @property {boolean} [isCompared] the first figure with each other one; true by default
 */

/** @type {Record<string, Row[]>} */
const families = {
  requests: [
    {
      name: 'get-10',
      title: 'GET 10 orders',
      unit: 'requests/s',
      figures: requests.lists(10, [OURS, FASTIFY, EXPRESS]),
    },
    {
      name: 'get-1000',
      title: 'GET 1,000 orders',
      unit: 'requests/s',
      figures: requests.lists(1000, [OURS, FASTIFY, EXPRESS]),
    },
    {
      name: 'get-100000',
      title: 'GET 100,000 orders',
      unit: 'requests/s',
      figures: requests.lists(100_000, [OURS, NGINX, EXPRESS]),
    },
    {
      name: 'get-cancels',
      title: 'GET 100,000 orders, every tenth request a DELETE',
      unit: 'requests/s',
      figures: requests.lists(100_000, [OURS, FASTIFY], { cancelEvery: 10 }),
    },
    {
      name: 'delete',
      title: 'DELETE, 1,000,000 orders',
      unit: 'requests/s',
      figures: requests.cancels(1_000_000, [OURS, FASTIFY, EXPRESS]),
    },
  ],
  processes: [
    {
      name: 'memory',
      title: 'Memory with 1,000,000 orders, after a list',
      unit: 'MB',
      figures: processes.memory(1_000_000, [OURS, FASTIFY]),
    },
    {
      name: 'start',
      title: 'Start to the first list',
      unit: 'ms',
      figures: processes.start([OURS, FASTIFY, EXPRESS]),
    },
  ],
  overload: [
    {
      name: 'overload-goodput',
      title: 'Twice the capacity: lists in time, of the capacity',
      unit: '%',
      figures: overload('goodput'),
    },
    {
      name: 'overload-p99',
      title: 'Twice the capacity: 99th percentile of the lists',
      unit: 'ms',
      figures: overload('p99'),
    },
    {
      name: 'overload-recovery',
      title: 'Twice the capacity: time to recover',
      unit: 's',
      figures: overload('recovery'),
    },
  ],
  domains: [
    {
      name: 'domains-start',
      title: 'Start with custom domains',
      unit: 'ms',
      figures: domains.start([10_000, 0]),
    },
    {
      name: 'domains-memory',
      title: 'Memory with custom domains, 100 of them visited',
      unit: 'MB',
      figures: domains.memory([10_000, 0]),
    },
  ],
  postgres: [
    {
      name: 'postgres-delete',
      title: 'PostgreSQL: DELETE, 300,000 orders, 32 connections',
      unit: 'requests/s',
      figures: postgres.cancels(),
    },
    {
      name: 'postgres-unchanged',
      title: 'PostgreSQL: GET 300,000 orders with If-None-Match',
      unit: 'ms',
      figures: postgres.unchanged(),
    },
    {
      name: 'postgres-first',
      title: 'PostgreSQL: first GET of 300,000 orders',
      unit: 's',
      figures: postgres.firstList(),
    },
    {
      name: 'postgres-ships',
      title: 'PostgreSQL: GET 300,000 orders after a change',
      unit: 'ms',
      figures: postgres.changes(),
    },
    {
      name: 'postgres-cpu',
      title: 'PostgreSQL: one request at a time',
      unit: 'requests/s',
      figures: postgres.oneByOne(),
      isCompared: false,
    },
  ],
}

const page = new URL('../docs/benchmark.md', import.meta.url)

async function main() {
  const { positionals: names, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      machine: { type: 'string', default: `${cpus().length} cores` },
    },
  })
  const rows = rowsOf(names)
  const rounds = Number(values.rounds)
  if (!(rounds >= 1)) throw new Error(`--rounds must be a number of 1 or more, not "${values.rounds}"`)
  const missing = missingTools()
  if (missing.length > 0) {
    throw new Error(`${missing.join(', ')} missing. On Debian: apt-get install wrk nginx postgresql util-linux`)
  }
  moveTo(LOAD_CORE)
  const begin = performance.now()
  const lines = []
  for (const row of rows) {
    const measured = linesOf(row, await samplesOf(row, rounds))
    lines.push(...measured)
    console.log(`${row.name}: ${printed(measured)}\n`)
  }
  const minutes = Math.round((performance.now() - begin) / 60_000)
  console.log(`${rows.length} rows in ${minutes} minutes`)
  if (names.length > 0) return
  const about = `${new Date().toISOString().slice(0, 10)}, ${values.machine}, ${minutes} minutes for ${rounds} rounds: ${versions()}.`
  const replaced = readFileSync(page, 'utf8').replace(
    /(<!-- results -->\n).*?(<!-- end -->)/s,
    (_, start, end) => `${start}\n${about}\n\n${markdown(lines)}\n\n${end}`,
  )
  writeFileSync(page, replaced)
}

/** @param {string[]} names of rows or families; all rows without any @throws with the names there are */
function rowsOf(names) {
  const all = Object.values(families).flat()
  const named = { ...families, ...Object.fromEntries(all.map((row) => [row.name, [row]])) }
  const unknown = names.filter((name) => !Object.hasOwn(named, name))
  if (unknown.length > 0) throw new Error(`no row "${unknown.join('", "')}". Rows: ${Object.keys(named).join(', ')}`)
  return names.length > 0 ? names.flatMap((name) => named[name] ?? []) : all
}

/**
 * Measures a row's figures in turn, in alternating directions, so that no server always follows the same one.
 * @param {Row} row @param {number} rounds @returns {Promise<[string, Sample[]][]>}
 */
async function samplesOf({ title, figures }, rounds) {
  const measured = Object.entries(figures).map(([name, measure]) => ({
    name,
    measure,
    samples: /** @type {Sample[]} */ ([]),
  }))
  for (let round = 1; round <= rounds; round++) {
    for (const { name, measure, samples } of round % 2 ? measured : measured.toReversed()) {
      progress(`${title}: ${name}, round ${round} of ${rounds}`)
      samples.push(await measure(round))
    }
  }
  progress('')
  return measured.map(({ name, samples }) => [name, samples])
}

/** @param {string} text replaces the line on a terminal */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.slice(0, process.stderr.columns - 1)}\x1b[K`)
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => process.exit(code))
try {
  await main()
} catch (error) {
  console.error(`bench: ${/** @type {Error} */ (error).message}`)
  process.exitCode = 1
} finally {
  await endDatabases()
}
