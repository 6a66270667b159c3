// Runs the test files that NEAR_TESTS lists in one process, the nearest first, and begins no further test once the time is up.
// (tap names the folders of tests after the arguments, which would be too long for ten files.)
import { resolve } from 'node:path'
import process, { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

/** Since the start of the process. */
const MOST_MS = 2_500

let leftOut = 0
const add = t.test.bind(t) as (...given: unknown[]) => unknown

Object.assign(t, {
  test: (...given: unknown[]) => {
    const run = given.pop() as (t: Test) => unknown
    return add(...given, (one: Test) => {
      if (performance.now() < MOST_MS) return run(one)
      leftOut++
      return one.plan(0, 'the time is up')
    })
  },
})
process.on('exit', () => {
  if (leftOut > 0) process.stderr.write(`${leftOut} tests were left out: name their files to run them\n`)
})

t.test('the test files are imported before the first test starts', async () => {
  for (const file of String(env.NEAR_TESTS).split(' ')) await import(pathToFileURL(resolve(file)).href)
})
