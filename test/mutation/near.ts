// Checks the types, and runs the tests nearest to files: those that are named or, without a name, those that changed.
//   npm run near -- store/page.ts
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { changedLines, isSource, projectFiles, testsOf } from './files.ts'

/** Tests for each file: an answer in seconds says more than a complete one. */
const NEAREST = 4

const given = process.argv.slice(2)
const files = given.length > 0 ? given : [...changedLines('HEAD').keys()]
const all = projectFiles()

function nearestTo(file: string): string[] {
  if (/\.(test|mock)\.ts$/.test(file)) return [file]
  return isSource(file) ? testsOf(file, all).slice(0, NEAREST) : []
}

/** @returns its exit code */
async function run(...args: string[]): Promise<number> {
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
  return code
}

const tests = [...new Set(files.flatMap(nearestTo))]
const tap = ['node_modules/tap/dist/esm/run.mjs', '--disable-coverage', '--reporter=terse', ...tests]
const codes = await Promise.all([run('node_modules/.bin/tsc'), ...(tests.length > 0 ? [run(...tap)] : [])])
process.exitCode = Math.max(...codes)
