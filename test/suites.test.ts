import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'

t.test('every test file runs in a suite', async (t) => {
  const suites = readdirSync('test/suites').map((file) => readFileSync(`test/suites/${file}`, 'utf8'))
  const named = suites.flatMap((text) => Array.from(text.matchAll(/(?<=[( ])'([^']+)'/g), ([, part = '']) => part))
  const roots = [
    'test',
    ...readdirSync('packages')
      .map((name) => `packages/${name}/test`)
      .filter(existsSync),
  ]
  const tests = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => `${root}/${file}`),
  )
  const isOurs = (file: string) => /\.(test|mock)\.ts$/.test(file) && !file.includes('.cache/') // installed testers
  const isNamed = (file: string) =>
    file.endsWith('.mock.ts')
      ? named.includes(file)
      : named.some((part) => (part.endsWith('/*') ? `${dirname(file)}/*` === part : file.startsWith(`${part}/`)))
  t.not(tests.filter(isOurs).length, 0)
  t.strictSame(
    tests.filter(isOurs).filter((file) => !isNamed(file)),
    [],
  )
})
