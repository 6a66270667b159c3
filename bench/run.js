// The benchmark: npm run bench. With --only (some rows) or --orders (a quick check), prints the figures only to the
// terminal.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { endDatabases } from './database.js'
import { checkMachine, makeRoom } from './machine.js'
import { readOptions } from './options.js'
import { chart } from './report/chart.js'
import { figureOf } from './report/format.js'
import { resultsPage } from './report/markdown.js'
import { aligned, tableOf } from './report/table.js'
import { runRow } from './run-row.js'
import { median } from './statistics.js'

async function main() {
  const options = readOptions()
  checkMachine(options.rows)
  makeRoom()
  const results = []
  for (const row of options.rows) {
    const say = (text) => progress(`[${results.length + 1}/${options.rows.length}] ${row.title}: ${text}`)
    const result = await runRow(row, { ...options, say })
    results.push(result)
    progress('')
    console.log(summaryOf(result))
  }
  console.log(`\n${aligned(tableOf(results))}`)
  if (!options.isWhole) return
  const write = (name, text) => writeFileSync(new URL(name, import.meta.url), text)
  write('RESULTS.md', resultsPage(results, options))
  write('results.svg', chart(results))
  console.log('\nWritten: bench/RESULTS.md and bench/results.svg')
}

/** One line, updated only on a terminal. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.slice(0, process.stderr.columns - 1)}\x1b[K`)
}

function summaryOf({ row, figures }) {
  const lines = figures.map(({ name, median: figure, cpu, same = '' }, index) => {
    const spent = cpu.length > 0 ? figureOf(median(cpu), 'µs CPU') : ''
    return `  ${name.padEnd(28)}${figureOf(figure, row.unit).padStart(18)}${spent.padStart(16)}  ${index > 0 ? same : ''}`.trimEnd()
  })
  return [row.title, ...lines].join('\n')
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
  process.once(signal, () => {
    console.error(`\nbench: ended by ${signal}`)
    process.exit(code)
  })
}
try {
  await main()
} catch (error) {
  console.error(`\nbench: ${/** @type {Error} */ (error).message}`)
  process.exitCode = 1
} finally {
  await endDatabases()
}
