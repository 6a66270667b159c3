// What a change takes: the steps of docs/development.md are followed in a copy of the project, the patches of this folder
// are applied, and everything is tested.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type Block, blocksOf } from 'test-kit/blocks'
import { page } from '../docs/pages.ts'
import { copyProject, run } from '../packages/package.ts'

const bin = 'node_modules/.bin'
const text = page('docs/development.md')
const section = text.slice(text.indexOf('## Adding an operation'), text.indexOf('## Other changes'))
const [document, ...others] = blocksOf(section)

/** The most files that each change in this folder takes by hand, in the order in which they are made. */
const mostFiles = { 'two-operations': 6, 'list-status': 9, 'order-status': 7, duration: 6, 'place-order': 14 }

t.test('changes take few files, and then all checks pass', async (t) => {
  const dir = await copyProject(t)
  t.strictSame(await follow(dir, document ? [document] : []), ['spec/openapi.yaml'])
  await generate(dir)
  t.match(await compile(dir), /Property 'getSummary' is missing/)
  await run(dir, 'node', 'deploy/build.js')
  t.equal(await output(run(dir, 'node', 'dist/server.js')), 'store-orders: getSummary has no handler\n')
  t.strictSame(await follow(dir, others), [
    'handlers/getSummary.ts',
    'handlers/index.ts',
    'test/handlers/getSummary.test.ts',
    'test/statements/behavior.ts',
  ])

  for (const [name, most] of Object.entries(mostFiles)) {
    const patch = fileURLToPath(new URL(`${name}.patch`, import.meta.url))
    await run(dir, 'patch', '-p1', '-F1', '-s', '--no-backup-if-mismatch', '-i', patch)
    const files = (await run(dir, 'git', 'apply', '--numstat', patch)).trim().split('\n')
    t.ok(files.length <= most, `${name} takes ${files.length} files`)
    await generate(dir)
    t.equal(await compile(dir), '', name)
  }
  const passed = await output(run(dir, 'npm', 'run', '--silent', 'lint'))
  t.notMatch(passed, 'FAILED', passed)
  // No change reaches these packages, whose tests import nothing of the service.
  const excluded = ['custom-domains', 'packages'].map((name) => `--exclude=test/suites/${name}.ts`)
  const options = ['--reporter=tap', ...excluded]
  const results = (await output(run(dir, 'env', 'TAP_TIMEOUT=0', 'npm', 'test', '--', ...options))).split('\n')
  t.strictSame(
    results.filter((line) => line.trimStart().startsWith('not ok')),
    [],
  )
  t.match(results.at(-3), /^# { total: \d+, pass: \d+(, skip: \d+)? }$/)
})

async function generate(dir: string) {
  for (const name of ['types', 'changelog', 'imports']) await run(dir, 'npm', 'run', '--silent', name)
}

/** Of everything, tests included. @returns the errors */
async function compile(dir: string): Promise<string> {
  return output(run(dir, `${bin}/tsc`, '--incremental', 'false'))
}

/** The output of a command on stdout, or else on stderr, whether it succeeds or fails. */
async function output(running: Promise<string>): Promise<string> {
  return running.catch(({ stdout, stderr }) => stdout || stderr)
}

/** Follows steps. @returns the changed files */
async function follow(dir: string, blocks: Block[]): Promise<string[]> {
  const files: string[] = []
  for (const { language, text, before } of blocks) {
    const [, named] = /^(?:In )?`([\w./-]+\.\w+)`/m.exec(before) ?? []
    const file = named ?? String(files.at(-1))
    const path = `${dir}/${file}`
    const old = existsSync(path) ? await readFile(path, 'utf8') : ''
    await writeFile(path, edited(old, { language, text, before }))
    if (named) files.push(file)
  }
  return files
}

/** @throws if the file does not match the step */
function edited(old: string, { language, text, before }: Block): string {
  if (language === 'ts') return old ? `${old}\n${text}` : text
  const lines = text.trimEnd().split('\n')
  const without = (sign: string) =>
    lines
      .filter((line) => line[0] !== sign)
      .map((line) => line.slice(1))
      .join('\n')
  const replacements: Record<string, [from: string, to: string]> = {
    diff: [without('+'), without('-')],
    'end of `paths:`': ['\ncomponents:\n', `\n${text}components:\n`],
  }
  const [, [from, to] = ['', '']] =
    Object.entries(replacements).find(([place]) => place === language || before.includes(place)) ?? []
  if (old.split(from).length !== 2) throw new Error(`This must stand in the file once:\n${from}`)
  return old.replace(from, () => to)
}
