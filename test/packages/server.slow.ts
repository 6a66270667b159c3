import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import t from 'tap'
import { key } from '../fixtures/app.ts'
import { lintPackage } from './lint.ts'
import { install, pack, run, serve } from './package.ts'

const { tarball, paths } = await pack(t)
const consumer = await install(t, tarball)

t.test('the package contains only what is needed to run and to use it', async (t) => {
  const expected = [
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
    /^dist\/[\w/-]+\.js$/,
    /^dist\/(commit|prepared\/[0-9a-f]{64})$/,
    /^packages\/client\/dist\/(packages\/client|spec)\/\w+\.(js|d\.ts)$/,
    /^spec\/(\w+\.(yaml|d\.ts|png|svg)|CHANGELOG\.md)$/,
    /^(packages\/openapi-pages|domains\/dashboard)\/browser\/[\w./-]+$/,
    /^domains\/api\/\w+\.(yaml|d\.ts)$/,
    /^(deploy|docs)\/(?!.*\.js$)[\w.-]+$/,
    /^(\.env\.example|npm-shrinkwrap\.json)$/,
    /^store\/(memory\/sample\.ndjson|postgres\/migrations\/[\w-]+\.sql)$/,
  ]
  for (const pattern of expected)
    t.ok(
      paths.some((path) => pattern.test(path)),
      String(pattern),
    )
  t.strictSame(
    paths.filter((path) => !expected.some((pattern) => pattern.test(path))),
    [],
  )
})

const program = `
import { createClient, type Order, StoreOrdersError } from 'store-orders/client'
import type { paths } from 'store-orders/openapi'

declare const process: { argv: [string, string, string, string] }
const [, , baseUrl, apiKey] = process.argv
const client = createClient({ baseUrl, apiKey, retries: 1 })
const signal = AbortSignal.timeout(60_000)

const orders: readonly Order[] = await client.listOrders({ signal })
const codes: string[] = []
for (const { id = 0n } of orders) {
  await client.cancelOrder(id, { signal }).catch((error: unknown) => {
    if (!(error instanceof StoreOrdersError)) throw error
    codes.push(error.code)
  })
}
const left = await client.listOrders()
console.log([orders, codes, left].map((list) => list.map((one) => (typeof one === 'object' ? String(one.id) : one))))

const wrong = () => {
  // @ts-expect-error a number is not an identifier
  client.cancelOrder(1007)
  // @ts-expect-error there is no such path
  type Path = paths['/store/order']
}
`

t.test('publint and "Are the types wrong?" report nothing', async (t) => {
  t.strictSame(await lintPackage(tarball, { entrypoints: ['./client', './openapi'] }), [])
})

t.test('a consumer compiles with it in strict mode, and runs its server', async (t) => {
  const orders = ['{"id":9223372036854775807}', '{"id":1234567890123456789,"status":"shipped"}']
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2022',
    types: [],
    outDir: 'out',
  }
  await writeFile(`${consumer}/package.json`, '{"type":"module"}')
  await writeFile(`${consumer}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['consumer.ts'] }))
  await writeFile(`${consumer}/consumer.ts`, program)
  await writeFile(`${consumer}/orders.ndjson`, orders.join('\n'))
  t.equal(await run(consumer, resolve('node_modules/.bin/tsc')).catch(({ stdout }) => stdout), '')

  const variables = { API_KEYS: `tests:${key}`, ORDERS_FILE: 'orders.ndjson' }
  const origin = await serve(t, consumer, variables)
  t.equal(
    await run(consumer, 'node', 'out/consumer.js', `${origin}/v1`, key),
    `[
  [ '9223372036854775807', '1234567890123456789' ],
  [ 'order_already_shipped' ],
  [ '1234567890123456789' ]
]
`,
  )
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
