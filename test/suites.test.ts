import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import t from 'tap'

t.test('every test file runs: alone, or in the suite of its folder', async (t) => {
  const suites = readdirSync('test/suites').map((file) => basename(file, '.ts'))
  const folders = ['test', ...readdirSync('packages').map((name) => `packages/${name}/test`)]
  const tests = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const isOurs = (file: string) => file.endsWith('.test.ts') && !file.includes('.cache/') // installed contract testers
  const inSuites = tests.filter((file) => isOurs(file) && dirname(file) !== 'test')
  t.not(inSuites.length, 0)
  for (const file of inSuites) t.ok(suites.includes(String(file.split('/')[1])), file)
})
