// What an operation gains does not change how it is called.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { parseDocument } from 'exact-openapi'
import t, { type Test } from 'tap'
import { compilerErrors } from 'test-kit/compiler-errors'
import { parse } from 'yaml'
import { methodsOf } from '../../../packages/client/call.ts'
import type { Fetch } from '../../../packages/client/platform.ts'
import { tableOf } from '../../../packages/client/scripts/generate.ts'
import { generateTypes } from '../../../spec/scripts/generate-types.ts'
import { update } from '../../lint/update.ts'

const client = new URL('../../../packages/client/', import.meta.url)
const base = parse(await readFile(new URL('../../spec/openapi.yaml', client), 'utf8'))
const text = { type: 'string' }
const path = (name: string) => ({ in: 'path', name, required: true, schema: text })

/** Three operations: without input, with a path parameter, and with required input of every kind. */
function documentWith({ isExtended }: { isExtended: boolean }) {
  const responses = { 204: { description: 'Done.' } }
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const parameter = (place: string) => ({ in: place, name: 'X-Value', schema: text })
  const optional = isExtended ? [parameter('query'), parameter('header')] : []
  const optionalBody = isExtended ? { requestBody: json(text) } : {}
  const required = (place: string) => ({ in: place, name: 'X-Required', required: true, schema: text })
  const properties = { name: text, ...(isExtended && { note: text }) }
  const replace = {
    operationId: 'replace',
    parameters: [path('id'), required('query'), required('header'), ...optional],
    requestBody: { required: true, ...json({ type: 'object', required: ['name'], properties }) },
    responses,
  }
  const remove = { operationId: 'remove', parameters: [path('id'), ...optional], responses, ...optionalBody }
  const paths = {
    '/all': { post: { operationId: 'all', parameters: optional, responses, ...optionalBody } },
    '/all/{id}': { delete: remove, put: replace },
  }
  return JSON.stringify({ ...base, paths })
}

const calls = `[
  client.all(),
  client.all({}),
  client.all({ signal, onResponse: undefined }),
  client.remove('1'),
  client.remove('1', { signal }),
  client.replace('1', { query: { 'X-Required': 'q' }, headers: { 'X-Required': 'h' }, body: { name: 'a' }, signal }),
]`

/** The file to compile. */
async function fileOf(t: Test, document: string, calls: string) {
  const folder = t.testdir({ spec: { 'openapi.yaml': document } })
  const to = `${folder}/packages/client`
  await mkdir(to, { recursive: true })
  for (const name of ['types.ts', 'platform.ts']) await copyFile(new URL(name, client), `${to}/${name}`)
  t.strictSame(await update(folder, 'types', await generateTypes(folder), false), [])
  const types = "import type { Client } from './operations.ts'\nimport type { CallOptions } from './types.ts'\n"
  const values = 'declare const client: Client\ndeclare const signal: CallOptions["signal"]\n'
  await writeFile(`${to}/calls.ts`, `${types}${values}export default ${calls}\n`)
  return `${to}/calls.ts`
}

/** The file to compile, what is sent, and how many calls an aborted signal stops. */
async function callsOf(t: Test, document: string, calls: string) {
  const file = await fileOf(t, document, calls)
  const sent: string[] = []
  const fetch: Fetch = async (url, { method, headers, body }) => {
    sent.push([method, new URL(url).href, headers['X-Required'], body ?? ''].join(' '))
    return new Response(null, { status: 204 })
  }
  const table = tableOf(parseDocument(document, 'openapi.yaml'))
  const methods = methodsOf(table, { baseUrl: 'http://localhost/v1', apiKey: 'any', fetch })
  const run = new Function('client', 'signal', `return ${calls}`)
  await Promise.all(run(methods, new AbortController().signal))
  const outcomes = await Promise.allSettled(run(methods, AbortSignal.abort('stopped')))
  const stopped = outcomes.filter((one) => one.status === 'rejected' && one.reason === 'stopped').length
  return { file, sent: sent.sort(), stopped }
}

t.test('an optional parameter, header, body or field leaves every call as it is', async (t) => {
  const { file: former, ...before } = await callsOf(t, documentWith({ isExtended: false }), calls)
  t.equal(before.stopped, 3, 'each call with a signal')
  await t.test('extended', async (t) => {
    const { file, ...after } = await callsOf(t, documentWith({ isExtended: true }), calls)
    t.strictSame(after, before)
    t.equal(compilerErrors(former, file), '')
  })
})

t.test('a parameter may have the name of an option', async (t) => {
  const parameters = ['signal', 'onResponse', 'body'].map((name) => ({ in: 'query', name, schema: text }))
  const responses = { 204: { description: 'Done.' } }
  const get = { operationId: 'get', parameters: [path('options'), path('signal'), ...parameters], responses }
  const document = JSON.stringify({ ...base, paths: { '/all/{options}/{signal}': { get } } })
  const query = "{ signal: 'a', onResponse: 'b', body: 'c' }"
  const { file, sent, stopped } = await callsOf(t, document, `[client.get('1', '2', { signal, query: ${query} })]`)
  t.equal(compilerErrors(file), '')
  t.match(sent, [/^GET \S+\/all\/1\/2\?signal=a&onResponse=b&body=c /])
  t.equal(stopped, 1)
})

t.test('names that are no identifiers are kept as they are, and arguments have other names', async (t) => {
  const responses = { 204: { description: 'Done.' } }
  const operation = (operationId: string, names: string[] = []) => {
    return { operationId, parameters: names.map(path), responses }
  }
  const names = ['options', 'class', 'a-b', 'aB', '1', 'größe', '数', '-']
  const paths = {
    '/list': { get: operation('list-things'), post: operation('new') },
    '/class': { get: operation('class'), post: operation('post/a\'"b') },
    [`/${names.map((name) => `{${name}}`).join('/')}`]: { get: operation('get', names) },
  }
  const values = names.map((_, at) => `'${at}'`).join()
  const others = `client['list-things'](), client.new({ signal }), client.class(), client['post/a\\'"b']()`
  const { file, sent } = await callsOf(t, JSON.stringify({ ...base, paths }), `[${others}, client.get(${values})]`)
  t.equal(compilerErrors(file), '')
  t.match(sent.join(' '), '/v1/0/1/2/3/4/5/6/7')
  t.equal(new Set(sent).size, 5)
})

t.test('the types of bodies are those of their media types', async (t) => {
  const body = (types: string[], schema: object) => {
    return { content: Object.fromEntries(types.map((type) => [type, { schema }])) }
  }
  const chip = { type: 'object', properties: { chip: { type: 'integer', format: 'int64' } } }
  const post = (sent: string[], received: string[], status: string) => ({
    requestBody: { required: true, ...body(sent, chip) },
    responses: { [status]: { description: 'It.', ...body(received, chip) } },
  })
  const required = { in: 'header', name: 'X-Required', required: true, schema: text }
  const paths = {
    '/json': { post: { operationId: 'json', ...post(['text/csv', 'a/b+json'], ['a/xml', 'a/b+json;v=1'], '200') } },
    '/text': { post: { operationId: 'text', ...post(['text/csv'], ['text/csv', 'text/plain'], '2XX') } },
    '/bytes': { post: { operationId: 'bytes', ...post(['image/png'], ['image/png'], 'default') } },
    '/form': { post: { operationId: 'form', ...post(['application/x-www-form-urlencoded'], [], '201') } },
    '/none': { post: { operationId: 'none', ...post(['multipart/form-data'], [], '300') } },
    '/headed': { get: { operationId: 'headed', description: 'a/*/b', parameters: [required], responses: { 204: {} } } },
  }
  const calls = `[
    client.json({ body: { chip: 1n } }).then(({ chip }: { chip?: bigint }) => chip),
    client.text({ body: 'a,b' }).then((text: string) => text),
    client.bytes({ body: new Uint8Array() }).then((bytes: Uint8Array) => bytes),
    client.form({ body: { chip: 1n } }).then((nothing: undefined) => nothing),
    // @ts-expect-error a header is required
    client.headed(),
    // @ts-expect-error a form
    client.none({ body: 'a' }).then((nothing: never) => nothing),
  ]`
  t.equal(compilerErrors(await fileOf(t, JSON.stringify({ ...base, paths }), calls)), '')
})
