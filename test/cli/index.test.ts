import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { buildDashboard, dashboardKey } from '../fixtures/dashboard.ts'
import { moduleOf, start } from '../fixtures/process.ts'

const skip = existsSync('/dev/full') ? false : 'this system has no /dev/full'

async function run(t: Test, args: string[], env: Record<string, string> = {}) {
  const { ended, stdout, stderr } = start(t, 'cli/index', args, env)
  return { code: await ended, stdout: stdout(), stderr: stderr() }
}

t.test('the usage and the version are printed on request', async (t) => {
  const [none, help, wrong] = await Promise.all([[], ['--help'], ['serves']].map((args) => run(t, args)))
  t.match(help, { code: 0, stdout: /^Usage:\n {2}store-orders serve /, stderr: '' })
  t.strictSame(none, help)
  const message = 'store-orders: unknown command "serves"; store-orders --help lists the commands\n'
  t.strictSame(wrong, { code: 1, stdout: '', stderr: message })
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  t.strictSame(await run(t, ['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('every command prints its own usage', async (t) => {
  for (const command of ['serve', 'keys', 'migrate', 'import', 'domains', 'mcp']) {
    const { code, stdout, stderr } = await run(t, [command, ...(command === 'keys' ? ['new', '-h'] : ['--help'])])
    t.strictSame({ code, stderr }, { code: 0, stderr: '' }, command)
    const described = [...stdout.matchAll(/^ {2}store-orders (\w+)/gm)].map(([, name]) => name)
    t.strictSame([...new Set(described)], [command])
  }
})

t.test('unknown options and arguments are named', async (t) => {
  for (const [args, message] of [
    ['serve --port 14999', /^store-orders: Unknown option '--port'/],
    ['serve extra', /^store-orders: Unexpected argument 'extra'/],
    ['migrate extra', /^store-orders: Unexpected argument 'extra'/],
    ['import', /^store-orders: FILE is missing/],
    ['import a b', /^store-orders: unexpected argument "b"/],
    ['domains list extra', /^store-orders: unexpected argument "extra"/],
    ['domains', /^Usage:\n {2}store-orders domains list/],
  ] as const) {
    t.match(await run(t, args.split(' ')), { code: 1, stdout: '', stderr: message }, args)
  }
})

t.test('a full stdout is reported in one line, a closed one is not', { skip }, async (t) => {
  const full = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(full))
  const help = start(t, 'cli/index', ['--help'], {}, { stdio: ['ignore', full, 'pipe'] })
  t.equal(await help.ended, 1)
  t.equal(help.stderr(), 'store-orders: cannot write to stdout (ENOSPC)\n')

  const preload = moduleOf('await new Promise((resolve) => process.stdin.once("end", resolve).resume())')
  const unread = start(t, 'cli/index', ['--help'], {}, { preload })
  unread.child.stdout?.destroy()
  unread.child.stdin?.end()
  t.equal(await unread.ended, 1)
  t.equal(unread.stderr(), '')
})

t.test('serve runs the server', async (t) => {
  const server = start(t, 'cli/index', ['serve'], { PORT: '0', API_KEYS: 'tests:test-key' })
  const [, origin] = await server.printed(/API at (\S+)\/v1/)
  t.equal((await fetch(`${origin}/v1/store/orders`)).status, 401)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('the database commands need its address', async (t) => {
  for (const args of [
    ['migrate', '--check'],
    ['import', 'orders.ndjson'],
  ]) {
    const { code, stderr } = await run(t, args)
    t.equal(code, 1)
    t.match(stderr, /DATABASE_URL/)
  }
})

t.test('the domains commands call the server at PORT with a dashboard key', async (t) => {
  const { app } = await buildDashboard(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const list = (key: string) => run(t, ['domains', 'list'], { PORT: String(port), DASHBOARD_KEYS: `operator:${key}` })
  t.match(await list(dashboardKey), { code: 0, stdout: /^docs\.shop\.test {2}live, primary: /, stderr: '' })
  const json = await run(t, ['domains', 'list', '--json'], {
    PORT: String(port),
    DASHBOARD_KEYS: `operator:${dashboardKey}`,
  })
  t.match(JSON.parse(json.stdout), { domains: [{ domain: 'docs.shop.test', state: 'live' }] })
  t.strictSame(await list('wrong'.repeat(8)), {
    code: 1,
    stdout: '',
    stderr: 'store-orders: The API key is not valid.\n',
  })
})
