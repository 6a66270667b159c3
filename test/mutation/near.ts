// Checks the types, and runs what is nearest to files: those that are named or, without a name, those that changed.
//   npm run near -- store/page.ts
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import process, { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import { stripTypes } from '../loader/strip-types.js'
import { changedFiles, changedLines, projectFiles, testsOf } from './files.ts'
import { byRelevance } from './relevance.ts'
import { loaders } from './workspace.ts'

/** Tests for each file: an answer in seconds says more than a complete one. */
const NEAREST = 6
/** Tests in a browser for each script. */
const PAGES = 2
/** The tests run in so many processes: many of them wait. */
const PROCESSES = 2
/** Of processor time for each file and process, whose nearest test runs in any case. */
const CPU_MS = 2_500

type Command = readonly string[]

const all = projectFiles()
const build: Command = [process.execPath, 'deploy/build.js']
const tap = (file: string): Command => ['node_modules/.bin/tap', '--disable-coverage', '--reporter=terse', file]
const linesOf = changedLines('HEAD')

/** Of the tests whose path matches, those that have most to do with the changed lines. */
function mostRelevant(file: string, path: RegExp, count: number): string[] {
  const tests = all.filter((each) => path.test(each))
  return byRelevance(file, linesOf.get(file) ?? [], tests).slice(0, count)
}

/** What runs for files that no unit test imports: unit tests by name, and commands. */
const others: [files: RegExp, run: (file: string) => readonly (string | Command)[]][] = [
  [/^(spec\/openapi\.yaml|handlers\/\w+\.ts)$/, () => ['test/document-walk.test.ts', 'test/statements.test.ts']],
  [
    /^domains\/api\/dashboard\.yaml$/,
    () => ['operations', 'answers'].map((name) => `test/domains/api/${name}.test.ts`),
  ],
  [/^store\/.*\.sql$/, (file) => mostRelevant(file, /^test\/store\/.*\.test\.ts$/, NEAREST)],
  [/(^|\/)deploy\/alerts\.yaml$/, () => [['promtool', 'test', 'rules', 'test/deploy/alerts.yaml']]],
  [
    /\/browser\/.*\.(js|css|html)$/,
    (file) => [build, ...mostRelevant(file, /^test\/browser\/.*\.browser\.ts$/, PAGES).map(tap)],
  ],
  [/\.(browser|acme|slow)\.ts$/, (file) => [build, tap(file)]],
  [/\.mock\.ts$/, (file) => [tap(file)]],
  [/\.md$|^package\.json$/, () => ['test/readme.test.ts']],
  [/^(deploy|\.github)\//, () => ['test/deploy/deploy.test.ts']],
]

/** @returns the nearest unit tests, by their files, and other commands */
function nearestTo(file: string): (string | Command)[] {
  if (file.endsWith('.test.ts')) return [file]
  const nearest = /\.[jt]s$/.test(file) ? testsOf(file, all, linesOf.get(file)).slice(0, NEAREST) : []
  const named = others.filter(([files]) => files.test(file)).flatMap(([, run]) => run(file))
  const [first = [], ...rest] = nearest.map((test) => (test.endsWith('.mock.ts') ? tap(test) : test))
  return [first, ...named, ...rest].filter(({ length }) => length > 0)
}

/** Prints what fails; what passes takes a line. @returns whether it passed */
function run([program = '', ...args]: Command, variables: Record<string, string> = {}): Promise<boolean> {
  const name = variables.TESTS ?? [basename(program), ...args].join(' ')
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 2 ** 28, env: { ...env, ...variables } }, (error, stdout, stderr) => {
      const isMissing = error?.code === 'ENOENT'
      const text = (stdout + stderr).replaceAll(/^ *(ok |# Subtest|1\.\.).*\n/gm, '')
      // What there was no time for.
      const [leftOut = ''] = /(?<=^# )not run: .*\n/m.exec(text) ?? []
      const done = name.split(',').filter((test) => !leftOut.includes(test))
      const result = error ? `FAILED: ${name}\n${text}` : `passed: ${done.join()}\n${leftOut}`
      process.stdout.write(isMissing ? `not installed: ${name}\n` : result)
      resolve(isMissing || !error)
    })
  })
}

const given = process.argv.slice(2)
const missing = given.filter((file) => !existsSync(file))
if (missing.length > 0) throw new Error(`There is no file ${missing.join(' or ')}.`)
const tests = new Set<string>()
const commands = new Map<string, Command>()
const chosen = given.length > 0 ? given : changedFiles()
for (const file of chosen) {
  const found = nearestTo(file)
  if (found.length === 0) process.stdout.write(`No test covers ${file}.\n`)
  for (const each of found) typeof each === 'string' ? tests.add(each) : commands.set(each.join(' '), each)
  if (file.endsWith('.ts')) stripTypes(pathToFileURL(file)) // once, instead of in each process
}
const unit = [process.execPath, ...loaders, 'test/loader/named.ts']
const variables = { TAP_TIMEOUT: '1200', CPU_MS: String(CPU_MS * chosen.length) }
const shares = Array.from({ length: PROCESSES }, (_, at) =>
  [...tests].filter((_test, place) => place % PROCESSES === at),
)
const runs = shares.flatMap((share) => (share.length > 0 ? [run(unit, { ...variables, TESTS: share.join() })] : []))
const results = await Promise.all([run(['node_modules/.bin/tsc']), ...runs])
for (const command of commands.values()) results.push(await run(command))
if (results.includes(false)) process.exitCode = 1
