// `npm start` and `npm run build`, in a small project.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import t, { type Test } from 'tap'

const project = {
  'package.json': '{ "type": "module", "workspaces": ["packages/exact-openapi"] }',
  'package-lock.json': '{}',
  'server.ts': `import { name, type Name } from './cli/name.ts'

export async function start() {
  const other: Name = (await import('./cli/other.ts')).other
  const [, place = ''] = (new Error().stack as string).split('dist/')
  process.stdout.write([name, other, place.slice(0, 14)].join(' '))
}
`,
  cli: {
    'index.ts': `import '../spec/document.ts'`,
    'name.ts': `export type Name = string\nexport const name: Name = 'one'`,
    'other.ts': `export const other = 'two'`,
  },
  spec: {
    'openapi.yaml': '',
    'document.ts': `import { writeFileSync } from 'node:fs'
import 'exact-openapi'
export function prepareDocument({ pathname }: URL): void {
  if (pathname.endsWith('dashboard.yaml')) throw new Error('it is not YAML')
  writeFileSync('dist/prepared', pathname.replace(/.*\\/spec/, 'spec'))
}
export const storeValidator = (): void => {}`,
  },
  packages: {
    'exact-openapi': {
      'package.json': '{ "name": "exact-openapi", "exports": { ".": { "store-orders-source": "./src/index.ts" } } }',
      src: { 'index.ts': `export const name: string = 'exact-openapi'` },
    },
  },
  domains: { api: { 'dashboard.yaml': '{' } },
}

function copy(t: Test, changes: object = {}): string {
  const folder = t.testdir({ ...project, ...changes })
  for (const name of ['start', 'build', 'compile', 'sources', 'workspaces'])
    cpSync(`deploy/${name}.js`, `${folder}/deploy/${name}.js`)
  return folder
}

function run(cwd: string, program = 'start', COMMIT = 'a'.repeat(40)) {
  const options = { cwd, env: { _TAPJS_PROCESSINFO_COVERAGE_: '0', COMMIT }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [`deploy/${program}.js`], options)
  return { status, stdout, stderr }
}

t.test('the first start builds; another one only if a source has changed since', async (t) => {
  const folder = copy(t)
  const prints = (stdout: string) => t.strictSame(run(folder), { status: 0, stdout, stderr: '' })
  const builtAt = () => statSync(`${folder}/dist/sources.json`).mtimeMs
  prints('one two server.js:5:27')
  t.equal(readFileSync(`${folder}/dist/prepared`, 'utf8'), 'spec/openapi.yaml')

  const first = builtAt()
  prints('one two server.js:5:27')
  t.equal(builtAt(), first)

  writeFileSync(`${folder}/cli/other.ts`, `export const other: string = 'three'`)
  prints('one three server.js:5:27')
  t.not(builtAt(), first)
})

t.test('the build records its commit, and another commit is built again', async (t) => {
  const folder = copy(t)
  for (const digit of ['a', 'b']) {
    run(folder, 'build', digit.repeat(40))
    t.equal(readFileSync(`${folder}/dist/commit`, 'utf8').split(' ')[0], digit.repeat(12))
  }
})

t.test('a source that cannot be built is named', async (t) => {
  const folder = copy(t, { 'server.ts': 'enum Name { one }' })
  const { status, stdout, stderr } = run(folder, 'build')
  t.strictSame([status, stdout], [1, ''])
  t.match(stderr, 'Error: server.ts: not erasable: enum Name { one }')
})

t.test('a folder that cannot be written to is a matter of its owner', async (t) => {
  const advice = 'Cannot write to dist/. Let its owner run "npm run build", then start again.\n'
  t.strictSame(run(copy(t, { dist: '' })), { status: 1, stdout: '', stderr: advice })
})

t.test('a start by npm ends with the shell of npm, which passes no signal on, and is told to once', async (t) => {
  // A second signal would end the real one at once, so this one waits for it.
  const server = `export async function start() {
  process.on('SIGTERM', () => {
    process.stdout.write(' SIGTERM')
    setTimeout(() => process.exit(), 1_500)
  })
  process.stdout.write(\`\${process.pid}\`)
  setInterval(() => {}, 2 ** 30)
}`
  for (const isSignalled of [false, true]) {
    const cwd = copy(t, { 'server.ts': server, cli: { 'index.ts': `import '../spec/document.ts'` } })
    const env = { npm_lifecycle_event: 'start', _TAPJS_PROCESSINFO_COVERAGE_: '0' }
    const args = ['-c', '"$0" deploy/start.js; true', process.execPath]
    const shell = spawn('sh', args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [pid] = await once(shell.stdout, 'data')
    t.teardown(() => spawnSync('kill', [String(pid)]))
    let printed = ''
    shell.stdout.on('data', (text) => {
      printed += text
    })
    if (isSignalled) {
      process.kill(Number(pid))
      await once(shell.stdout, 'data')
    }
    shell.kill()
    await once(shell.stdout, 'close') // the server's end of it is the last one
    t.equal(printed, ' SIGTERM')
  }
})
