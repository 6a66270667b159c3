// Runs third-party contract testers against the built server: npm run test:contract
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import process from 'node:process'
import { need } from './command.ts'
import { documents } from './documents/run.ts'
import { reports } from './folders.ts'
import { fuzz } from './fuzz/run.ts'
import { generators } from './generators/run.ts'
import { go } from './go/run.ts'
import { jsonSchema } from './json-schema/run.ts'
import { chosen } from './options.ts'
import { fromThePage } from './sandbox/run.ts'
import { schemathesis } from './schemathesis/run.ts'
import type { Outcome, Result, Runner } from './types.ts'

const LOG_LINES = 80

const own = [schemathesis, fuzz, go, generators, jsonSchema, documents]
const runners: Runner[] = [...own, ...fromThePage]

async function resultOf({ name, version, needs, run }: Runner): Promise<Result> {
  const started = Date.now()
  const result = (outcome: Outcome | { problems: string[] }) => {
    const seconds = Math.round((Date.now() - started) / 1000)
    return { name, version, seconds, ...('cases' in outcome && { warnings: 0, skipped: 0 }), ...outcome }
  }
  const folder = `${reports}${name}/`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    need(needs)
    return result(await run(folder))
  } catch (error) {
    return result({ problems: [(error as Error).message] })
  }
}

/** Two at once: most of them, and the server that each starts, use less than a core. */
async function runAll() {
  const selected = chosen(runners)
  const results: Result[] = []
  const next = selected.entries()
  const worker = async () => {
    for (const [index, runner] of next) {
      console.log(`${runner.name} ${runner.version} …`)
      results[index] = await resultOf(runner)
    }
  }
  await Promise.all([worker(), worker()])
  return results
}

async function main() {
  const results = await runAll()
  const failed = results.filter(({ problems }) => problems.length > 0)
  for (const { name } of failed) printLogs(`${reports}${name}/`)
  console.table(
    results.map(({ problems, ...others }) => ({ ...others, verdict: problems.length === 0 ? 'good' : 'BAD' })),
  )
  for (const { name, problems } of failed) for (const problem of problems) console.log(`${name}: ${problem}`)
  console.log('Reports: reports/contract/')
  if (failed.length > 0) process.exitCode = 1
}

/** The last lines of what a runner and its server wrote. */
function printLogs(folder: string) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
    const lines = readFileSync(folder + file, 'utf8')
      .trimEnd()
      .split('\n')
    console.log([`\n${folder}${file}:`, ...lines.slice(-LOG_LINES)].join('\n'))
  }
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => process.exit(code))
try {
  await main()
} catch (error) {
  console.error(`test:contract: ${(error as Error).message}`)
  process.exitCode = 1
}
