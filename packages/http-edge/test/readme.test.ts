// The examples of the README compile as TypeScript.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { blocksOf } from 'test-kit/blocks'
import { compilerErrors } from 'test-kit/compiler-errors'

t.test('the examples compile', async (t) => {
  const examples = blocksOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))
  t.equal(examples.length, 2)
  const files = Object.fromEntries(examples.map(({ text }, index) => [`${index}.mts`, text]))
  const folder = t.testdir(files)
  const paths = Object.keys(files).map((name) => `${folder}/${name}`)
  t.equal(compilerErrors(...paths, '--customConditions', 'store-orders-source', '--types', 'node'), '')
})
