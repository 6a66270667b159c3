// The benchmark: npm run bench. Goes on after the rows that this commit already has figures of, and writes the report
// once it has those of all.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { endDatabases } from './database.js'
import { checkMachine, makeRoom } from './machine.js'
import { readOptions } from './options.js'
import { partsOf } from './parts.js'
import { chart } from './report/chart.js'
import { figureOf } from './report/format.js'
import { resultsPage } from './report/markdown.js'
import { aligned, tableOf } from './report/table.js'
import { rows } from './rows/index.js'
import { runRow } from './run-row.js'
import { median } from './statistics.js'

async function main() {
  const options = readOptions()
  checkMachine(options.rows)
  makeRoom()
  const parts = partsOf(options)
  const results = []
  for (const row of options.rows) {
    const place = `[${results.length + 1}/${options.rows.length}] ${row.title}`
    const kept = options.keepsParts && !options.again ? parts.read(row.name) : undefined
    const part = kept ?? (await measure(row, { ...options, say: (text) => progress(`${place}: ${text}`) }))
    if (!kept && options.keepsParts) parts.write(row.name, part)
    results.push({ row, ...part })
    progress('')
    console.log(summaryOf(row, part, kept))
  }
  console.log(`\n${aligned(tableOf(results))}`)
  if (options.keepsParts) report(options, parts)
}

async function measure(row, options) {
  const start = Date.now()
  const { figures } = await runRow(row, options)
  return { figures, at: new Date().toISOString(), took: (Date.now() - start) / 1000 }
}

/** Once each row has its figures. */
function report(options, parts) {
  const results = rows.map((row) => ({ row, ...parts.read(row.name) }))
  const absent = results.filter(({ figures }) => !figures)
  if (absent.length > 0) return console.log(`\nNo report without: ${absent.map(({ row }) => row.name).join(', ')}`)
  const write = (name, text) => writeFileSync(new URL(name, import.meta.url), text)
  write('RESULTS.md', resultsPage(results, options))
  write('results.svg', chart(results))
  console.log('\nWritten: bench/RESULTS.md and bench/results.svg')
}

/** One line, updated only on a terminal. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.slice(0, process.stderr.columns - 1)}\x1b[K`)
}

function summaryOf(row, { figures, took }, kept) {
  const lines = figures.map(({ name, median: figure, cpu, same = '' }, index) => {
    const spent = cpu.length > 0 ? figureOf(median(cpu), 'µs CPU') : ''
    return `  ${name.padEnd(28)} ${figureOf(figure, row.unit).padStart(17)}${spent.padStart(16)}  ${index > 0 ? same : ''}`.trimEnd()
  })
  return [`${row.title} (${kept ? 'measured before' : `${Math.round(took)} s`})`, ...lines].join('\n')
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
