import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import t from 'tap'
import { key } from '../fixtures/app.ts'
import { install, pack, run, serve } from './package.ts'

const { tarball, paths } = await pack(t)
const consumer = await install(t, tarball)

t.test('the package contains only what is needed to run and to use it', async (t) => {
  const expected = [
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
    /^dist\/[\w/-]+\.js$/,
    /^dist\/(commit|prepared\/[0-9a-f]{64})$/,
    /^spec\/(\w+\.(yaml|png|svg)|CHANGELOG\.md)$/,
    /^(packages\/openapi-pages|domains\/dashboard)\/browser\/[\w./-]+$/,
    /^packages\/openapi-pages\/CHANGELOG\.md$/, // npm packs it beside what is listed
    /^domains\/api\/\w+\.yaml$/,
    /^(deploy|docs)\/(?!.*\.js$)[\w.-]+$/,
    /^(\.env\.example|npm-shrinkwrap\.json)$/,
    /^store\/(memory\/sample\.ndjson|postgres\/migrations\/[\w-]+\.sql)$/,
  ]
  for (const pattern of expected)
    t.ok(
      paths.some((path) => pattern.test(path)),
      String(pattern),
    )
  const needless = paths.filter((path) => !expected.some((pattern) => pattern.test(path)))
  t.strictSame(needless, [])
})

t.test('an installed server serves its orders', async (t) => {
  const orders = ['{"id":9223372036854775807}', '{"id":1234567890123456789,"status":"shipped"}']
  await writeFile(`${consumer}/orders.ndjson`, orders.join('\n'))
  const origin = await serve(t, consumer, { API_KEYS: `tests:${key}`, ORDERS_FILE: 'orders.ndjson' })
  const call = (method: string, path = '') =>
    fetch(`${origin}/v1/store/orders${path}`, { method, headers: { authorization: `Bearer ${key}` } })
  t.equal(await (await call('GET')).text(), '[{"id":9223372036854775807},{"id":1234567890123456789}]')
  t.equal((await call('DELETE', '/9223372036854775807')).status, 204)
  t.equal((await call('DELETE', '/1234567890123456789')).status, 409)
  for (const path of ['/docs/', '/openapi.yaml']) t.equal((await fetch(`${origin}${path}`)).status, 200, path)
})

t.test('a start ignores damaged results of the build, and rejects a document that has become invalid', async (t) => {
  const installed = `${consumer}/node_modules/store-orders`
  const results = await readdir(`${installed}/dist/prepared`)
  t.equal(results.length, 3)
  for (const name of results) await truncate(`${installed}/dist/prepared/${name}`, 100)
  const origin = await serve(t, consumer, { API_KEYS: `tests:${key}` })
  t.equal((await fetch(`${origin}/openapi.json`)).status, 200)

  const document = `${installed}/spec/openapi.yaml`
  await writeFile(document, (await readFile(document, 'utf8')).replace('openapi: 3.0.3', 'openapi: 3.0.3\nother: 1'))
  const problem = await run(installed, 'node', 'dist/server.js').catch(({ stderr }) => stderr)
  t.match(problem, /^store-orders: the document is not valid OpenAPI: .*\n$/)
})
