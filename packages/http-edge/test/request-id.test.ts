import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { newRequestId } from '../src/request-id.ts'

const run = promisify(execFile)

t.test('ids of a process are unique', async (t) => {
  const ids = Array.from({ length: 1000 }, newRequestId)
  t.equal(new Set(ids).size, ids.length)
})

t.test('ids of two processes differ', async (t) => {
  const code = `import { newRequestId } from ${JSON.stringify(new URL('../src/request-id.ts', import.meta.url).href)}
console.log(newRequestId())`
  const other = () => run(process.execPath, [...process.execArgv, '--input-type=module', '-e', code])
  const [first, second] = await Promise.all([other(), other()])
  t.match(first.stdout, /^[A-Za-z0-9_-]{22}-1\n$/)
  t.not(first.stdout, second.stdout)
})
