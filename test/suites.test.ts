import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'

t.test('every test file runs: alone, or in the suite of its folder', async (t) => {
  const folder = new URL('.', import.meta.url).pathname
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const tests = files.filter((file) => file.includes('/') && file.endsWith('.test.ts'))
  const suites = new Set(tests.map((file) => `suites/${file.split('/')[0]}.ts`))
  for (const suite of suites) t.ok(existsSync(`${folder}${suite}`), suite)
})
