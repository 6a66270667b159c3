import process from 'node:process'
import t, { type Test } from 'tap'
import { start } from '../fixtures/process.ts'

const run = (t: Test, script: string, env: Record<string, string> = {}) =>
  start(t, 'cli/index', ['sandbox', '--', process.execPath, '--input-type=module', '-e', script], env)

const request = `const request = async (path, method = 'GET', key = process.env.API_KEY) => {
  const headers = { authorization: 'Bearer ' + key }
  return (await fetch(process.env.STORE_ORDERS_URL + path, { method, headers })).status
}`

t.test('each command gets a server with fresh orders, and its code is that of the sandbox', async (t) => {
  const script = `${request}
    const { paths, servers } = await (await fetch(process.env.OPENAPI_URL)).json()
    const { STORE_ORDERS_URL, API_KEY, STORE_ORDERS_KEY } = process.env
    console.log(Object.keys(paths).length > 1 && servers[0].url === STORE_ORDERS_URL && STORE_ORDERS_KEY === API_KEY)
    const { headers } = await fetch(STORE_ORDERS_URL + '/pets/1', { headers: { authorization: 'Bearer ' + API_KEY } })
    console.log(headers.has('ratelimit-policy')) // one of the documented headers that need a quota
    console.log(await request('/store/orders'), await request('/store/orders/1007', 'DELETE'))
    process.exit(7)`
  for (const round of [1, 2]) {
    const { ended, stdout } = run(t, script)
    t.equal(await ended, 7)
    t.equal(stdout(), 'true\ntrue\n200 204\n', `round ${round}`)
  }
})

t.test('wrong keys are no attack here, and of the own configuration only the orders count', async (t) => {
  const script = `${request}
    for (let count = 0; count < 200; count++) if (await request('/store/orders', 'GET', 'wrong') !== 401) process.exit(1)
    console.log(await request('/store/orders/77', 'DELETE'), await request('/store/orders/1007', 'DELETE'))`
  const ORDERS_FILE = `${t.testdir({ 'orders.ndjson': '{"id":77}' })}/orders.ndjson`
  const env = { ORDERS_FILE, DATABASE_URL: 'postgres://localhost:1/production', PORT: 'no port' }
  const { ended, stdout } = run(t, script, env)
  t.equal(await ended, 0)
  t.equal(stdout(), '204 404\n')
})

t.test('a signal ends the command and the server', async (t) => {
  const { child, ended, printed } = run(t, 'console.log(process.env.OPENAPI_URL); setInterval(() => {}, 1000)')
  const [url] = await printed(/http\S+/)
  child.kill('SIGTERM')
  t.equal(await ended, 128 + 15)
  await t.rejects(fetch(url), { cause: { code: 'ECONNREFUSED' } })
})

t.test('a command that does not exist is named', async (t) => {
  const { ended, stderr } = start(t, 'cli/index', ['sandbox', '--', 'no-such-tester'], {})
  t.equal(await ended, 127)
  t.equal(stderr(), 'store-orders: cannot run no-such-tester: ENOENT\n')
})
