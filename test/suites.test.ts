import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'

t.test('every test file runs: alone, or in the suite of its folder', async (t) => {
  const list = (folder: string) => readdirSync(folder, { encoding: 'utf8' }).map((name) => `${folder}/${name}`)
  const suites = list('test/suites').map((file) => /importTests\('(.*)'\)/.exec(readFileSync(file, 'utf8'))?.[1])
  const folders = ['test', ...list('packages').map((folder) => `${folder}/test`)]
  const tests = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const isOurs = (file: string) => file.endsWith('.test.ts') && !file.includes('.cache/') // installed contract testers
  const inSuites = tests.filter((file) => isOurs(file) && dirname(file) !== 'test')
  t.not(inSuites.length, 0)
  for (const file of inSuites)
    t.ok(
      suites.some((suite) => file.startsWith(`${suite}/`)),
      file,
    )
})
