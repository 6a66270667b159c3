// The steps of docs/development.md, taken on a copy of the project.
import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { copyProject, run } from '../fixtures/package.ts'
import { type Block, blocksOf, page } from '../fixtures/pages.ts'

const bin = 'node_modules/.bin'
const text = page('docs/development.md')
const section = text.slice(text.indexOf('## Adding an operation'), text.indexOf('## Extensions of the document'))
const [, ...steps] = section.split(/^### \d\. .*$/m).map(blocksOf)

t.test('an operation is added in the steps of the page', async (t) => {
  const dir = await copyProject(t)
  const [describe = [], generate = [], handle = [], test = [], publish = []] = steps
  t.equal(steps.length, 5)
  t.strictSame(
    generate.map(({ text }) => text),
    ['npm run types\n'],
  )

  t.strictSame(await follow(dir, describe), ['spec/openapi.yaml'])
  await run(dir, 'npm', 'run', 'types')
  t.match(await compile(dir), /Property 'getSummary' is missing/)
  t.equal(
    await output(run(dir, 'node', 'dist/server.js')),
    'store-orders: getSummary has no handler in handlers/index.ts\n',
  )

  const written = [...(await follow(dir, handle)), ...(await follow(dir, test)), ...(await follow(dir, publish))]
  t.equal(await compile(dir), '')
  t.match(await output(run(dir, `${bin}/biome`, 'check', '--error-on-warnings', '.')), 'No fixes applied')
  t.match(await output(run(dir, `${bin}/depcruise`, '.')), 'no dependency violations found')

  await cp(`${dir}/store/memory/sample.ndjson`, `${dir}/dist/store/memory/sample.ndjson`)
  const ownTests = written.filter((file) => file.endsWith('.test.ts'))
  t.ok(ownTests.length > 2)
  for (const file of new Set([...ownTests, 'test/document-walk.test.ts', 'test/handlers/types.test.ts'])) {
    const compiled = `dist/${file.replace(/ts$/, 'js')}`
    const results = await output(run(dir, 'env', 'TAP_TIMEOUT=0', 'node', compiled)) // this test has a limit already
    t.match(results, /^1\.\.[1-9]/m, file)
    t.notMatch(results, /^ *not ok .*/m, file)
  }
})

/** Compiles all, the tests included, to `dist`, whether there are errors or not. @returns the errors */
async function compile(dir: string): Promise<string> {
  const options = ['--noEmit', 'false', '--outDir', 'dist', '--incremental']
  return output(run(dir, `${bin}/tsc`, ...options))
}

/** What a command prints, on stdout or else on stderr, whether it succeeds or fails. */
async function output(running: Promise<string>): Promise<string> {
  return running.catch(({ stdout, stderr }) => stdout || stderr)
}

/** Takes a step. @returns the files that it names, which are those that it changed */
async function follow(dir: string, blocks: Block[]): Promise<string[]> {
  const files: string[] = []
  for (const { language, text, before } of blocks) {
    const [, named] = /`([\w./-]+\.\w+)`/.exec(before) ?? []
    const file = named ?? String(files.at(-1))
    const path = `${dir}/${file}`
    const old = existsSync(path) ? await readFile(path, 'utf8') : ''
    await writeFile(path, edited(old, { language, text, before }))
    if (named) files.push(file)
  }
  return files
}

/** @throws when a file is not as the step expects it */
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
    'below `schemas:`': ['\n  schemas:\n', `\n  schemas:\n${text}`],
  }
  const [, [from, to] = ['', '']] =
    Object.entries(replacements).find(([place]) => place === language || before.includes(place)) ?? []
  if (old.split(from).length !== 2) throw new Error(`This must stand in the file once:\n${from}`)
  return old.replace(from, () => to)
}
