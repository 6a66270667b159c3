import { existsSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { modelOf, plainSchema, type Schema } from 'exact-openapi/model'
import t, { type Test } from 'tap'
import { freePort, listen } from 'test-kit/ports'
import { deferred, until } from 'test-kit/until'
import { mcpCommand } from '../../../cli/mcp/index.ts'
import { loadDocument } from '../../../spec/document.ts'
import { build, key } from '../../fixtures/app.ts'
import { typescript } from '../../fixtures/process.ts'

const records = ['{"id":9223372036854775807,"petId":5}', '{"id":2,"status":"shipped"}', '{"id":3}']

async function access(t: Test, STORE_ORDERS_KEY = key) {
  const app = await build(t, { records })
  return { STORE_ORDERS_URL: `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`, STORE_ORDERS_KEY }
}

/** Arguments of cancel_order. */
const order = (orderId: string) => ({ path: { orderId } })

/** Another server in the place of the API. */
async function accessTo(t: Test, respond: (response: ServerResponse) => unknown) {
  const server = createServer((_request, response) => void respond(response))
  return { STORE_ORDERS_URL: `http://127.0.0.1:${await listen(t, server)}/v1`, STORE_ORDERS_KEY: key }
}

const send = (response: ServerResponse, status: number, body: string, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
const busy = '{"code":"rate_limited","message":"Too many requests.","status":429}'

/** An agent connected to the command, in this process. */
async function agent(t: Test, env: Record<string, string>) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const errors: string[] = []
  mcpCommand({ stdin, stdout, stderr: new PassThrough().on('data', (text) => errors.push(String(text))), env })
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(new StdioServerTransport(stdout, stdin))
  t.teardown(() => client.close())
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
    const [{ text }] = content as unknown as [{ text: string }]
    return { text, structuredContent, isError }
  }
  return { client, call, stdout, errors }
}

t.test('an agent searches orders and cancels one', async (t) => {
  const { client, call } = await agent(t, await access(t))
  const { tools } = await client.listTools()
  const tool = (name: string) => tools.find((one) => one.name === name)
  t.match(tool('cancel_order'), {
    title: 'Cancel an order',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  })
  t.notOk(tool('list_orders'), 'the search replaces the list')
  t.notOk(tool('get_pet_by_id'), 'a deprecated operation has no tool')
  t.match(tool('search_orders'), { title: 'Search orders', annotations: { readOnlyHint: true, openWorldHint: false } })
  for (const [argument, schema] of Object.entries(tool('search_orders')?.inputSchema.properties ?? {})) {
    t.match(schema, { description: /^\w.*[\w)]$/ }, argument)
    t.ok(JSON.stringify(schema).length < 250, argument)
  }
  t.match(tool('search_orders')?.inputSchema.properties, {
    limit: { minimum: 1, maximum: 100, default: 20 },
    offset: { minimum: 0, default: 0 },
  })
  t.match(client.getInstructions(), /^List the orders/)
  const found = { total: 1, orders: [{ id: '9223372036854775807', petId: '5' }] }
  const result = { text: JSON.stringify(found), structuredContent: found, isError: false }
  t.strictSame(await call('search_orders', { petId: '5' }), result)
  const headers = { 'X-Request-Id': /^[\w.-]+$/ }
  const done = { status: 204, message: /^The order has been cancelled/, attempts: 1, headers }
  t.match(await call('cancel_order', order('9223372036854775807')), { structuredContent: done, isError: false })
  t.match(await call('search_orders', {}), { structuredContent: { total: 2 } })
})

t.test('a search shows the fields of the document, and those of a later version', async (t) => {
  const later = await accessTo(t, (response) => send(response, 200, '[{"id":1,"note":"fragile"}]'))
  const { client, call } = await agent(t, later)
  const { tools } = await client.listTools() // from now on, the agent validates the results
  const { properties } = plainSchema(modelOf(loadDocument()).schemas.get('Order') as Schema)
  const { id, petId, ...others } = properties as Record<string, { description: string }>
  const text = (schema?: { description: string }) => ({ type: 'string', description: schema?.description })
  t.match(tools.find(({ name }) => name === 'search_orders')?.outputSchema, {
    properties: { orders: { items: { properties: { id: text(id), petId: text(petId), ...others } } } },
  })
  const found = { total: 1, orders: [{ id: '1', note: 'fragile' }] }
  t.match(await call('search_orders', {}), { structuredContent: found, isError: false })
})

t.test('a session tells its own repeat from the cancellation of another', async (t) => {
  const url = await access(t)
  const [mine, theirs] = [await agent(t, url), await agent(t, url)]
  t.match(await mine.call('cancel_order', order('3')), { isError: false, structuredContent: { status: 204 } })
  const repeat = async ({ call }: typeof mine) => JSON.parse((await call('cancel_order', order('3'))).text)
  const error = { code: 'order_already_cancelled', status: 404, attempts: 1 }
  t.match(await repeat(mine), { ...error, succeededBefore: true, hint: /your own/ })
  t.match(await repeat(theirs), { ...error, succeededBefore: undefined, hint: undefined })
  for (const status of [409, 410]) {
    let requests = 0
    const gone = JSON.stringify({ code: 'order_already_cancelled', message: 'Gone.', status })
    const other = await accessTo(t, (response) => (requests++ ? send(response, status, gone) : send(response, 204, '')))
    const same = await agent(t, other)
    await same.call('cancel_order', order('3'))
    t.match(await repeat(same), { status, succeededBefore: true })
  }
})

t.test('API errors arrive with their code, other errors with their message', async (t) => {
  const { call } = await agent(t, await access(t))
  const failure = async (orderId: string) => {
    const { text, isError } = await call('cancel_order', order(orderId))
    return isError && JSON.parse(text)
  }
  t.match(await failure('2'), { code: 'order_already_shipped', status: 409, message: /shipped/, hint: undefined })
  t.match(await failure('4'), { code: 'order_not_found', status: 404 })
  t.match(await call('search_orders', { order_id: '3' }), { isError: true, text: /order_id/ })
  t.match(await call('cancel_order', { ...order('3'), dryRun: true }), { isError: true, text: /additional properties/ })
  t.match(await call('search_orders', { orderId: '3' }), { structuredContent: { total: 1 } }, 'it was not cancelled')
  for (const shipsFrom of ['2026-10-05', '2026-10-05T09:00Z', '2026-10-05T09:00:00.5+02:00'])
    t.equal((await call('search_orders', { shipsFrom })).isError, false, shipsFrom)
  const invalid = { isError: true, text: /must be a date such as 2026-10-05/ }
  for (const shipsFrom of ['2026-10-05T09:00', '2026-02-30', '5 October', '2026-10-05T25:00Z'])
    t.match(await call('search_orders', { shipsFrom }), invalid, shipsFrom)

  const stranger = await agent(t, await access(t, 'wrong'))
  t.match(await stranger.call('search_orders', {}), { isError: true, text: /"code":"unauthorized".*"status":401/ })
  const other = await agent(t, await accessTo(t, (response) => response.end('hello')))
  t.match(await other.call('search_orders', {}), { isError: true, text: /200/ })
  const lost = await agent(t, { STORE_ORDERS_URL: `http://127.0.0.1:${await freePort()}/v1`, STORE_ORDERS_KEY: key })
  const unreachable = { isError: true, text: /^The API cannot be reached: connect ECONNREFUSED/ }
  t.match(await lost.call('search_orders', {}), unreachable)
})

t.test('a malformed line gets an error of JSON-RPC, in one line, and the next one its response', async (t) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  mcpCommand({ stdin, stdout, stderr: new PassThrough(), env: await access(t) })
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const respond = async (line: string) => {
    stdin.write(`${line}\n`)
    return JSON.parse((await lines.next()).value)
  }
  for (const [line, id, code, message] of [
    ['{', null, -32700, /JSON/],
    ['{"jsonrpc":"1.0"}', null, -32600, /JSON-RPC/],
    ['null', null, -32600, /JSON-RPC/],
    ['{"jsonrpc":"2.0","id":7}', 7, -32600, /JSON-RPC/],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]', null, -32600, /array/],
  ] as const)
    t.match(await respond(line), { jsonrpc: '2.0', id, error: { code, message } }, line)
  t.match(await respond('\n{"jsonrpc":"2.0","id":8,"method":"ping"}\r'), { id: 8 })
  for (const name of ['__proto__', 'constructor', 'nothing']) {
    const request = { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name, arguments: {} } }
    const error = { code: -32602, message: `Tool ${name} not found` }
    t.match(await respond(JSON.stringify(request)), { id: name, error })
  }
  stdin.end()
})

t.test('an agent that ends its input gets every response that it waits for', async (t) => {
  const { promise: isAsked, resolve: ask } = deferred<void>()
  const { promise: mayAnswer, resolve: answer } = deferred<void>()
  const slow = await accessTo(t, async (response) => {
    ask()
    await mayAnswer
    response.writeHead(204).end()
  })
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  mcpCommand({ stdin, stdout, stderr: new PassThrough(), env: slow })
  const clientInfo = { name: 'tests', version: '1' }
  const lines = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'cancel_order', arguments: order('3') } },
    { id: 3, method: 'tools/call', params: { name: 'search_orders', arguments: {} } },
    { method: 'notifications/cancelled', params: { requestId: 3 } },
  ]
  stdin.end(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''))
  await isAsked
  answer()
  const ids = new Set<number>()
  for await (const line of createInterface({ input: stdout })) {
    const { id, result } = JSON.parse(line)
    ids.add(id)
    if (id !== 2) continue
    t.match(result, { structuredContent: { status: 204, attempts: 1 } })
    break
  }
  t.ok(ids.has(1))
})

t.test('a repeat of the own success is told apart from another cancellation', async (t) => {
  let requests = 0
  const gone = '{"code":"order_already_cancelled","message":"Gone.","status":404}'
  const lossy = await accessTo(t, (response) => (++requests === 1 ? response.destroy() : send(response, 404, gone)))
  const { call } = await agent(t, lossy)
  const { text, isError } = await call('cancel_order', order('3'))
  const error = { code: 'order_already_cancelled', attempts: 2, mayHaveSucceeded: true, hint: /cancelled now/ }
  t.match(JSON.parse(text), error)
  t.equal(isError, true)
  t.notOk('hint' in JSON.parse((await call('cancel_order', order('3'))).text))
})

t.test('an identifier is read as the API reads it', async (t) => {
  const { call } = await agent(t, await access(t))
  const invalid = { isError: true, text: /must be a 64-bit integer in plain dec/ }
  const unlike = /must match pattern|must be a 64-bit integer in plain decimal digits, as text/
  const beyond = ['9223372036854775808', '-9223372036854775809', '9'.repeat(40)]
  for (const id of ['-0', '00', '+1', '1e3', ' 3', '3.0', '', ...beyond]) {
    t.match(await call('search_orders', { orderId: id }), invalid, id)
    t.match(await call('cancel_order', order(id)), { isError: true, text: unlike }, id)
  }
  t.match(await call('search_orders', { orderId: '-9223372036854775808' }), { structuredContent: { total: 0 } })
})

t.test('an error of the connection is logged', async (t) => {
  const { stdout, errors } = await agent(t, await access(t))
  stdout.emit('error', new Error('gone'))
  await until(() => errors.length > 0)
  t.strictSame(errors, ['store-orders: gone\n'])
})

t.test('too long a wait is an error with its duration', async (t) => {
  const env = await accessTo(t, (response) => send(response, 429, busy, { 'retry-after': '11' }))
  const { call } = await agent(t, env)
  const text = /"code":"rate_limited".*"attempts":1,"retryAfterSeconds":11}$/
  t.match(await call('search_orders', {}), { isError: true, text })
  const date = new Date(Date.now() + 60_000).toUTCString()
  const dated = await agent(t, await accessTo(t, (response) => send(response, 429, busy, { 'retry-after': date })))
  const { retryAfterSeconds } = JSON.parse((await dated.call('search_orders', {})).text)
  t.ok(Date.now() + 1_000 * retryAfterSeconds >= Date.parse(date), 'not before the date')
  let requests = 0
  const { setTimeout: later } = globalThis
  const soon = (run: () => void, ms: number) => later(run, ms === 10_000 ? 0 : ms)
  t.intercept(globalThis, 'setTimeout', { value: soon as typeof setTimeout })
  const brief = await accessTo(t, (response) =>
    requests++ ? send(response, 200, '[]') : send(response, 429, busy, { 'retry-after': '10' }),
  )
  t.match(await (await agent(t, brief)).call('search_orders', {}), { isError: false }, 'ten seconds are not too long')
})

t.test('an agent that requests progress is notified of each wait', async (t) => {
  let requests = 0
  const env = await accessTo(t, (response) =>
    ++requests < 4 ? send(response, 429, busy, { 'retry-after': '0' }) : send(response, 200, '[]'),
  )
  const { client } = await agent(t, env)
  const reports: unknown[] = []
  const options = { onprogress: (report: unknown) => reports.push(report) }
  t.match(await client.callTool({ name: 'search_orders', arguments: {} }, options), { structuredContent: { total: 0 } })
  const message = 'The API asks to wait 0 seconds (status 429).'
  t.match(reports, [
    { progress: 1, message },
    { progress: 2, message },
  ])
})

t.test('a call that an agent cancels ends its request', async (t) => {
  const { client } = await agent(t, { STORE_ORDERS_URL: 'http://127.0.0.1:1/v1', STORE_ORDERS_KEY: key })
  for (const [name, args] of Object.entries({ search_orders: {}, cancel_order: order('3') })) {
    const { promise: request, resolve: asked } = deferred<AbortSignal>()
    const never = async (_url: unknown, { signal }: { signal: AbortSignal }) => {
      asked(signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    t.intercept(globalThis, 'fetch', { value: never as never })
    const controller = new AbortController()
    const call = t.rejects(client.callTool({ name, arguments: args }, { signal: controller.signal }), name)
    const signal = await request
    controller.abort()
    await call
    await client.ping() // which follows the cancellation
    t.equal(signal.aborted, true, name)
  }
})

t.test('the command serves an agent until stdin ends', async (t) => {
  const env = await access(t)
  const args = ['--import', typescript, 'cli/index.ts', 'mcp']
  const transport = new StdioClientTransport({ command: process.execPath, args, env })
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(transport)
  t.match(client.getServerVersion(), { name: 'store-orders', version: /^\d+\.\d+\.\d+$/ })
  t.match(await client.callTool({ name: 'search_orders', arguments: {} }), { structuredContent: { total: 3 } })
  const { pid } = transport
  await client.close()
  await until(() => !existsSync(`/proc/${pid}`))
})
