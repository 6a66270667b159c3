// The tools of documents other than ours.
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import type { Document } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { mcpServer } from '../../../cli/mcp/server.ts'
import { toolNames } from '../../../cli/mcp/tool-names.ts'
import { methodsOf } from '../../../packages/client/call.ts'
import type { Fetch } from '../../../packages/client/platform.ts'
import { tableOf } from '../../../packages/client/scripts/generate.ts'

/** An agent, what the server reports, and the requests of its calls. */
async function agentFor(t: Test, document: Document) {
  const reports: string[] = []
  const sent: string[] = []
  const fetch: Fetch = async (url, { method, body }) => {
    sent.push(`${method} ${new URL(url).href} ${await new Response(body).text()}`)
    return new Response(null, { status: 204 })
  }
  const methods = methodsOf(tableOf(document), { baseUrl: 'http://localhost', apiKey: 'any', fetch })
  const server = mcpServer(methods as never, modelOf(document), (text) => reports.push(text))
  const [mine, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await Promise.all([server.connect(theirs), client.connect(mine as never)])
  t.teardown(() => client.close())
  const { tools } = await client.listTools()
  return { client, tools, reports, sent }
}

const responses = { 204: { description: 'Done.' } }
const body = (schema: object, type = 'application/json') => ({
  requestBody: { required: true, content: { [type]: { schema } } },
})

t.test('each operation has a name of its own, of at most 64 letters', async (t) => {
  const long = 'ab'.repeat(40)
  const names = {
    searchOrders: 'search_orders_2',
    getPet: 'get_pet',
    get_pet: 'get_pet_2',
    'get-pet': 'get_pet_3',
    GetAPIKeys2: 'get_api_keys2',
    '/a/{b}': 'a_b',
    数: 'operation',
    [long]: 'ab'.repeat(32),
    [`${long}c`]: `${'ab'.repeat(31)}_2`,
  }
  t.strictSame(toolNames(Object.keys(names), ['search_orders']), Object.values(names))
})

t.test('an operation that is no tool leaves the others as they are', async (t) => {
  const odd = body({ type: 'string', pattern: '{' })
  const paths = {
    '/a': { get: { operationId: 'searchOrders', responses }, put: { operationId: 'odd', responses, ...odd } },
    '/b': { get: { operationId: 'getPet', responses }, put: { operationId: 'get_pet', responses } },
    '/c': { get: { operationId: 'listOrders', responses } },
  }
  const { client, tools, reports, sent } = await agentFor(t, documentOf(paths))
  const names = tools.map(({ name }) => name)
  t.strictSame(names, ['search_orders_2', 'get_pet', 'get_pet_2'])
  t.match(reports, [/^odd is no tool: .*regular expression/, /^listOrders is no tool: /])
  for (const { name } of tools) t.notOk((await client.callTool({ name, arguments: {} })).isError)
  t.strictSame(sent, ['GET http://localhost/a ', 'GET http://localhost/b ', 'PUT http://localhost/b '])
})

t.test('no argument is readOnly, nor required where another part of its schema says that it is', async (t) => {
  const Named = { type: 'object', required: ['id', 'name'], properties: { name: { type: 'string' } } }
  const named = { $ref: '#/components/schemas/Named' }
  const whole = { allOf: [{ properties: { id: { type: 'string', readOnly: true } } }, named] }
  const paths = {
    '/a': {
      post: { operationId: 'add', responses, ...body(whole) },
      put: { operationId: 'set', responses, ...body(named) },
    },
  }
  const { client, tools, sent } = await agentFor(t, documentOf(paths, { schemas: { Named } }))
  t.match(tools[0]?.inputSchema, { properties: { body: { allOf: [{ properties: {} }, { required: ['name'] }] } } })
  t.notMatch(JSON.stringify(tools[0]?.inputSchema), '"id"')
  t.match(tools[1]?.inputSchema, { $defs: { Named: { required: ['id', 'name'] } } })
  await client.callTool({ name: 'add', arguments: { body: { name: 'a' } } })
  t.strictSame(sent, ['POST http://localhost/a {"name":"a"}'])
})

t.test('the body of a tool is the JSON of an operation, or a form', async (t) => {
  const schema = { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } }
  const { requestBody } = body(schema, 'application/xml')
  const content = { ...requestBody.content, 'application/json': { schema } }
  const paths = {
    '/a': { post: { operationId: 'add', responses, requestBody: { content } } },
    '/b': { post: { operationId: 'send', responses, ...body(schema, 'multipart/form-data') } },
  }
  const { client, sent } = await agentFor(t, documentOf(paths))
  for (const name of ['add', 'send']) await client.callTool({ name, arguments: { body: { id: '5' } } })
  t.match(sent, ['POST http://localhost/a {"id":5}', /name="id"\r\n\r\n5\r\n/])
})
