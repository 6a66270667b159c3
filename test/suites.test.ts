import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'

t.test('every test file runs: alone, or in the suite of its folder', async (t) => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const isOurs = (file: string) => !file.includes('.cache/') // the contract testers are installed there
  const tests = files.filter((file) => file.includes('/') && file.endsWith('.test.ts') && isOurs(file))
  const suites = new Set(tests.map((file) => `suites/${file.split('/')[0]}.ts`))
  t.not(suites.size, 0)
  for (const suite of suites) t.ok(existsSync(new URL(suite, folder)), suite)
})
