// Follows the steps of docs/development.md, and of three more operations, in copies of the project.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { copyProject, run } from '../packages/package.ts'
import { type Block, blocksOf, page } from './pages.ts'

const bin = 'node_modules/.bin'
const typescript = ['--import=./test/loader/typescript.js']
const text = page('docs/development.md')
const section = text.slice(text.indexOf('## Adding an operation'), text.indexOf('## Adding a field to an order'))
const [document, ...others] = blocksOf(section)

t.test('the steps of the page add an operation, with five files and two commands', async (t) => {
  const dir = await copyProject(t)
  t.strictSame(await follow(dir, document ? [document] : []), ['spec/openapi.yaml'])
  await run(dir, 'npm', 'run', 'types')
  await run(dir, 'npm', 'run', 'changelog')
  t.match(await compile(dir), /Property 'getSummary' is missing/)
  await run(dir, 'node', 'deploy/build.js')
  t.equal(await output(run(dir, 'node', 'dist/server.js')), 'store-orders: getSummary has no handler\n')

  t.strictSame(await follow(dir, others), [
    'handlers/getSummary.ts',
    'handlers/index.ts',
    'test/handlers/getSummary.test.ts',
    'test/statements/behavior.ts',
  ])
  await check(t, dir, 'test/handlers/getSummary')
})

t.test('three operations of other kinds are added in the same way, and the client calls them', async (t) => {
  const dir = await copyProject(t)
  const steps = await readFile(new URL('three-operations.md', import.meta.url), 'utf8')
  const [document, ...others] = blocksOf(steps)
  await follow(dir, document ? [document] : [])
  await run(dir, 'npm', 'run', 'types')
  await run(dir, 'npm', 'run', 'changelog')
  await follow(dir, others)
  await check(
    t,
    dir,
    ...['test/handlers/threeOperations', 'test/cli/mcp/index', 'packages/openapi-pages/test/reference/markdown'],
  )
})

/** All that the rest of the project requires of an operation, and these tests. */
async function check(t: Test, dir: string, ...own: string[]) {
  await run(dir, 'node', 'deploy/build.js')
  t.equal(await compile(dir), '')
  t.equal(await output(run(dir, 'npm', 'run', '--silent', 'types', '--', '--check')), '')
  t.equal(await output(run(dir, 'npm', 'run', '--silent', 'changelog', '--', '--check')), '')
  t.match(await output(run(dir, `${bin}/biome`, 'check', '--error-on-warnings', '.')), 'No fixes applied')
  t.match(await output(run(dir, `${bin}/depcruise`, '.')), 'no dependency violations found')
  t.match(await output(run(dir, `${bin}/redocly`, 'lint')), '')

  const ofEdge = ['methods', 'cors'].map((name) => `packages/http-edge/test/fastify/${name}`)
  const ofPages = ['code-samples', 'reference/html', 'reference/read'].map(
    (name) => `packages/openapi-pages/test/${name}`,
  )
  const ofService = ['handlers/types', 'document-walk', 'statements'].map((name) => `test/${name}`)
  for (const name of [...own, ...ofService, ...ofEdge, ...ofPages]) {
    // This test already has a time limit.
    const results = await output(run(dir, 'env', 'TAP_TIMEOUT=0', 'node', ...typescript, `${name}.test.ts`))
    t.match(results, /^1\.\.[1-9]/m, name)
    t.notMatch(results, /^ *not ok .*/m, name)
  }
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
