// Each package as its users get it: packed, and installed in an empty folder.
import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { blocksOf } from 'test-kit/blocks'
import { lintPackage } from './lint.ts'
import { install, pack, run } from './package.ts'

/** What a request to the server of the README's first example gets. */
const examples: Record<string, { path: string; expected: string | RegExp }> = {
  'http-edge': { path: '/', expected: 'Hello\n' },
  'exact-openapi': { path: '/v1/pets/9007199254740993', expected: '{"id":9007199254740993,"name":"Rex"}' },
  'openapi-pages': { path: '/docs', expected: /id="introduction-heading">Pets/ },
}
const service = JSON.parse(await readFile('package.json', 'utf8'))

for (const folder of service.workspaces.filter((each: string) => each !== 'packages/test-kit')) {
  t.test(`${folder} is complete, and nothing else is in it`, async (t) => {
    const { tarball, paths } = await pack(t, folder)
    const usual =
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|(browser|examples)\/[\w./-]+|dist\/[\w/-]+\.(js|d\.ts)|src\/[\w/-]+\.ts)$/
    const needless = paths.filter((path) => !usual.test(path))
    t.strictSame(needless, [])
    const { name, exports } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
    const targets = Object.values<Record<string, string>>(exports).flatMap((door) => Object.values(door))
    t.strictSame(
      targets.filter((target) => !paths.includes(target.replace('./', ''))),
      [],
      'each target of exports is in it',
    )
    t.strictSame(await lintPackage(tarball), [])

    const consumer = await install(t, tarball)
    const installed = `${consumer}/node_modules/${name}`
    t.equal(await readFile(`${installed}/LICENSE`, 'utf8'), await readFile('LICENSE', 'utf8'))

    const example = examples[name]
    if (!example) return
    const [block] = blocksOf(await readFile(`${installed}/README.md`, 'utf8'))
    await writeFile(`${consumer}/package.json`, '{"type":"module"}')
    const printed = `
const served = await fetch('http://127.0.0.1:' + port + '${example.path}')
process.stdout.write(await served.text(), () => process.exit())`
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const text = String(block?.text)
      .replaceAll('3000', String(port))
      .replace(/^(.*listen\()/m, `const port = ${port}\n$1`)
    await writeFile(`${consumer}/example.js`, `${text}${printed}`)
    const output = await run(consumer, 'node', 'example.js')
    if (typeof example.expected === 'string') t.equal(output, example.expected)
    else t.match(output, example.expected)
  })
}
