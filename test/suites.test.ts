import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'

t.test('every test file runs in a suite', async (t) => {
  const suites = readdirSync('test/suites').map((file) => readFileSync(`test/suites/${file}`, 'utf8'))
  const named = suites.flatMap((text) => Array.from(text.matchAll(/(?<=[( ])'([^']+)'/g), ([, part = '']) => part))
  const ofPackages = readdirSync('packages').map((name) => `packages/${name}/test`)
  const filesIn = (root: string) => readdirSync(root, { recursive: true, encoding: 'utf8' })
  const roots = ['test', ...ofPackages.filter(existsSync)]
  const tests = roots.flatMap((root) => filesIn(root).map((file) => `${root}/${file}`))
  const isOurs = (file: string) => /\.(test|mock)\.ts$/.test(file) && !file.includes('.cache/') // installed testers
  const isNamed = (file: string) =>
    file.endsWith('.mock.ts')
      ? named.includes(file)
      : named.some((part) => (part.endsWith('/*') ? `${dirname(file)}/*` === part : file.startsWith(`${part}/`)))
  t.ok(tests.some(isOurs))
  for (const file of tests.filter(isOurs)) t.ok(isNamed(file), file)
})
