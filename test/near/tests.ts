// Runs the test files that are its arguments in one process.
import { resolve } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import t from 'tap'

t.test('the test files are imported before the first test starts', async () => {
  for (const file of argv.slice(2)) await import(pathToFileURL(resolve(file)).href)
})
