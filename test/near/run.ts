// Checks the types, and runs the tests nearest to files: those that are named or, without a name, those that changed.
//   npm run near -- store/page.ts    once
//   npm run near -- --watch          on every change
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import process, { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { changedLines, isSource, projectFiles, testsOf } from '../mutation/files.ts'

/** Tests for each file: an answer in seconds says more than a complete one. */
const NEAREST = 4
/** An editor writes a file in several steps. */
const SETTLE_MS = 50

const preloaded = ['typescript.js', 'time-limit.js'].map((name) => `--import=./test/loader/${name}`)
const importing = fileURLToPath(new URL('tests.ts', import.meta.url))

const { values, positionals } = parseArgs({ options: { watch: { type: 'boolean' } }, allowPositionals: true })
const report = (line: string) => process.stdout.write(`${line}\n`)

const isTest = (file: string) => /\.(test|mock)\.ts$/.test(file)

function nearestTo(files: readonly string[]): string[] {
  const all = projectFiles()
  const nearest = (file: string) => {
    if (isTest(file)) return [file]
    return isSource(file) ? testsOf(file, all).slice(0, NEAREST) : []
  }
  return [...new Set(files.flatMap(nearest))]
}

/** @returns whether it exited with 0; otherwise, what it printed has been reported */
function succeeds(name: string, args: string[], more: Record<string, string> = {}): Promise<boolean> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, TAP_TIMEOUT: '0', ...more },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve) =>
    child.on('close', (code) => {
      if (code !== 0) report(output.replace(/^ *ok .*\n/gm, ''))
      report(`${code === 0 ? 'ok' : 'FAILED'} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
      resolve(code === 0)
    }),
  )
}

/** Tests that mock modules run alone. */
async function check(files: readonly string[]): Promise<boolean> {
  const tests = nearestTo(files)
  const together = tests.filter((file) => file.endsWith('.test.ts'))
  const runs = [
    succeeds('types', ['node_modules/.bin/tsc']),
    ...(together.length > 0
      ? [succeeds(together.join(' '), [...preloaded, importing], { NEAR_TESTS: together.join(' ') })]
      : []),
    ...tests.filter((file) => file.endsWith('.mock.ts')).map((file) => succeeds(file, mocked(file))),
  ]
  return (await Promise.all(runs)).every(Boolean)
}

const mocked = (file: string) => ['node_modules/tap/dist/esm/run.mjs', '--disable-coverage', '--reporter=tap', file]

/** Checks what changes, one set of changes at a time. */
function checkOnChange() {
  const changed = new Set<string>()
  let isBusy = false
  let settling: NodeJS.Timeout | undefined
  async function next() {
    if (isBusy || changed.size === 0) return
    isBusy = true
    const files = [...changed]
    changed.clear()
    report(`\n${files.join(' ')}`)
    await check(files)
    isBusy = false
    await next()
  }
  watch('.', { recursive: true }, (_event, file) => {
    if (!file || !(isTest(file) || isSource(file)) || /(^|\/)(\.|node_modules|dist)/.test(file)) return
    changed.add(file)
    clearTimeout(settling)
    settling = setTimeout(next, SETTLE_MS)
  })
}

const files = positionals.length > 0 ? positionals : [...changedLines('HEAD').keys()]
if (files.length > 0 && !(await check(files))) process.exitCode = 1
if (values.watch) checkOnChange()
