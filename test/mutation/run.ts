// Plants faults in a copy of the project, one at a time, and lists those that no test notices.
//   npm run test:mutation -- --seed 7 --count 100              a sample of the whole project
//   npm run test:mutation -- --seed 7 --count 40 --base main   of the lines that differ from a commit
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { randomOf } from '../hostile/random.ts'
import { changedLines, isSource, projectFiles, testsOf } from './files.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { copyProject, type Workspace } from './workspace.ts'

/** Fewer mutants say nothing about the rest. */
const FEWEST = 10
const LIMIT_MS = 600_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    base: { type: 'string' },
    /** Only files whose path begins so. */
    only: { type: 'string', default: '' },
    /** Seconds. What is not known by then does not count. */
    within: { type: 'string', default: 'Infinity' },
    /** The score below which the run fails. */
    floor: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '2' },
  },
})
const report = (line: string) => process.stdout.write(`${line}\n`)

interface Planted extends Mutant {
  file: string
  source: string
}

const files = projectFiles()
const changed = values.base === undefined ? undefined : changedLines(values.base)
const all: Planted[] = []
for (const file of files.filter((each) => isSource(each) && each.startsWith(values.only))) {
  if (changed && !changed.has(file)) continue
  const source = await readFile(file, 'utf8')
  for (const mutant of mutantsOf(source)) {
    if (!changed || changed.get(file)?.has(mutant.line)) all.push({ ...mutant, file, source })
  }
}
const chosen = randomOf(Number(values.seed), 0).shuffled(all).slice(0, Number(values.count))
report(`seed ${values.seed}: ${chosen.length} of ${all.length} mutants`)

let end = performance.now() + Number(values.within) * 1000
const durations = new Map<string, Promise<number>>()
const survivors: Planted[] = []
let [killed, undecided] = [0, 0]

const left = () => Math.max(0, end - performance.now())

/** How long a test takes without a mutant; Infinity if it fails in a copy of the project, and so tells nothing. */
async function measure(test: string, workspace: Workspace): Promise<number> {
  const began = performance.now()
  if ((await workspace.run(test, Math.min(LIMIT_MS, left()))) === 'passed') return performance.now() - began
  if (left() > 0) report(`${test} fails without a mutant: not used`)
  return Number.POSITIVE_INFINITY
}

/**
 * Whether a test fails, and passes again without the mutant: a loaded machine fails tests as well. Undefined if the time is
 * over before it is known, or if there is nothing but such failures and time limits.
 */
async function isNoticed({ file, source, ...mutant }: Planted, workspace: Workspace): Promise<boolean | undefined> {
  let isUndecided = false
  for (const test of testsOf(file, files, [mutant.line])) {
    if (!durations.has(test)) durations.set(test, measure(test, workspace))
    const usual = (await durations.get(test)) as number
    if (usual === Number.POSITIVE_INFINITY) continue
    await workspace.write(file, source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end))
    const limit = Math.min(4 * usual + 20_000, left())
    const result = await workspace.run(test, limit).finally(() => workspace.write(file, source))
    if (left() === 0) return undefined
    if (result === 'passed') continue
    if (result === 'failed' && (await workspace.run(test, limit)) === 'passed') return true
    if (isUndecided) return undefined // each more would take as long
    isUndecided = true
  }
  return left() === 0 || isUndecided ? undefined : false
}

async function work(workspace: Workspace) {
  for (let mutant = chosen.shift(); mutant && left() > 0; mutant = chosen.shift()) {
    const isKilled = await isNoticed(mutant, workspace)
    if (isKilled) killed++
    else if (isKilled === undefined) {
      if (left() > 0) report(`undecided: ${describe(mutant)}`)
      undecided++
    } else {
      survivors.push(mutant)
      report(describe(mutant))
    }
  }
}

const workspaces: Workspace[] = []
const closeAll = () => Promise.all(workspaces.map((each) => each.close()))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    report(`stopped by ${signal}`)
    end = 0
    await closeAll()
    process.exit(1)
  })
}
try {
  for (let job = 0; job < Number(values.jobs); job++) workspaces.push(copyProject(files))
  await Promise.all(workspaces.map(work))
} finally {
  await closeAll()
}

const count = killed + survivors.length
const score = count === 0 ? 1 : killed / count
report(`${killed} of ${count} mutants were noticed, ${undecided} more are undecided: score ${score.toFixed(3)}`)
if (count >= FEWEST && score < Number(values.floor)) {
  report(`The score is below ${values.floor}: test what the survivors change, or simplify the code.`)
  process.exitCode = 1
}

function describe({ file, line, source, start, end, replacement }: Planted): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100)
  return `${file}:${line}: ${short(source.slice(start, end))} => ${short(replacement)}`
}
