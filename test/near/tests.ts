// Runs the test files that NEAR_TESTS lists in one process. (tap names the folders of tests after the arguments.)
import { resolve } from 'node:path'
import { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import t from 'tap'

t.test('the test files are imported before the first test starts', async () => {
  for (const file of String(env.NEAR_TESTS).split(' ')) await import(pathToFileURL(resolve(file)).href)
})
