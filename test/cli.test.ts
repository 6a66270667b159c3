import { closeSync, existsSync, openSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { buildDashboard, dashboardKey } from './fixtures/dashboard.ts'
import { moduleOf, start } from './fixtures/process.ts'

const skip = existsSync('/dev/full') ? false : 'this system has no /dev/full'

async function run(t: Test, args: string[], env: Record<string, string> = {}) {
  const { ended, stdout, stderr } = start(t, 'cli', args, env)
  return { code: await ended, stdout: stdout(), stderr: stderr() }
}

t.test('the usage is shown to who asks for it, and is an error for who does not', async (t) => {
  const [none, asked, wrong, incomplete, noFile] = await Promise.all(
    [[], ['--help'], ['serves'], ['domains'], ['import']].map((args) => run(t, args)),
  )
  t.match(asked, { code: 0, stdout: /^Usage:\n {2}store-orders serve /, stderr: '' })
  t.strictSame(none, asked)
  t.strictSame(wrong, { code: 1, stdout: '', stderr: asked?.stdout })
  t.strictSame(incomplete, wrong)
  t.strictSame(noFile, wrong)
})

t.test('a stdout that cannot be written is said in a line, and one that is closed is left', { skip }, async (t) => {
  const full = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(full))
  const help = start(t, 'cli', ['--help'], {}, { stdio: ['ignore', full, 'pipe'] })
  t.equal(await help.ended, 1)
  t.equal(help.stderr(), 'store-orders: stdout cannot be written (ENOSPC)\n')

  const preload = moduleOf('await new Promise((resolve) => process.stdin.once("end", resolve).resume())')
  const unread = start(t, 'cli', ['--help'], {}, { preload })
  unread.child.stdout?.destroy()
  unread.child.stdin?.end()
  t.equal(await unread.ended, 1)
  t.equal(unread.stderr(), '')
})

t.test('serve runs the server', async (t) => {
  const server = start(t, 'cli', ['serve'], { PORT: '0', API_KEYS: 'tests:test-key' })
  const [, origin] = await server.printed(/API at (\S+)\/v1/)
  t.equal((await fetch(`${origin}/v1/store/orders`)).status, 401)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('the commands for the database need its address', async (t) => {
  for (const args of [
    ['migrate', '--check'],
    ['import', 'orders.ndjson'],
  ]) {
    const { code, stderr } = await run(t, args)
    t.equal(code, 1)
    t.match(stderr, /DATABASE_URL/)
  }
})

t.test('the commands for domains ask the server at PORT, with a key of its dashboard', async (t) => {
  const { app } = await buildDashboard(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const list = (key: string) => run(t, ['domains', 'list'], { PORT: String(port), DASHBOARD_KEYS: `operator:${key}` })
  t.match(await list(dashboardKey), { code: 0, stdout: /^docs\.shop\.test {2}live, primary: /, stderr: '' })
  t.strictSame(await list('wrong'.repeat(8)), {
    code: 1,
    stdout: '',
    stderr: 'store-orders: The API key is not valid.\n',
  })
})
