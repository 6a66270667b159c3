// Runs the test files that TESTS names, one after another in one process. After CPU_MS of its time, it begins no other file.
import process, { env } from 'node:process'
import t from 'tap'
import { importTests } from './import-tests.ts'

const { TESTS = '', CPU_MS = 'Infinity' } = env
const files = TESTS.split(',')

/** Milliseconds, which do not depend on how busy the machine is. */
function used() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

for (let next = files.shift(); next; next = used() < Number(CPU_MS) ? files.shift() : undefined) {
  importTests(next)
  await t.test(`${next} has run`, async () => {})
}
if (files.length > 0) t.comment(`not run: ${files.join(', ')}`)
