// The code samples of the document, each run in its own language against a server.
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { env } from 'node:process'
import type { Document } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { moreLanguages } from '../../../packages/openapi-pages/browser/languages.js'
import { type Callable, callOf } from '../../../packages/openapi-pages/browser/request.js'
import { samplesIn, withSamples } from '../../../packages/openapi-pages/src/code-samples/index.ts'
import { ofOperation } from '../../../packages/openapi-pages/src/extensions.ts'
import { exampleServer } from '../../../packages/openapi-pages/src/server.ts'
import { pictures } from '../../../packages/openapi-pages/test/fixtures/pictures.ts'
import { loadDocument } from '../../../spec/document.ts'
import { build, key } from '../../fixtures/app.ts'
import { install, pack, run } from '../package.ts'
import { recorded } from './recorder/index.ts'
import { argumentsIn, type Language, shown as languages, more } from './recorder/languages.ts'

const shownWith = (operation: Operation) => ofOperation(operation)['x-codeSamples'] ?? []

/** A number that a double cannot represent; its neighbors are orders and pets, too. */
const exact = '9007199254740993'
const neighbors = ['9007199254740992', exact, '9007199254740994']

const { operations } = modelOf(withSamples(loadDocument()))

/** Operations without assertions of their own: their samples must succeed and print something. */
const others = operations.map(({ id }) => id).filter((id) => !['listOrders', 'cancelOrder', 'getPetById'].includes(id))

function sourceOf(operationId: string, label: string): string {
  const language = moreLanguages.find((one) => one.label === label)
  if (language) return String(samplesIn(loadDocument(), language).get(operationId))
  const [operation] = operations.filter(({ id }) => id === operationId)
  return operation ? (shownWith(operation).find((sample) => sample.label === label)?.source ?? '') : ''
}

/** The samples of a document's operation, found by its method. */
function samplesOf(document: Document) {
  const { operations } = modelOf(withSamples(document))
  return (method: string) => {
    const operation = operations.find((one) => one.method === method)
    const samples = operation ? shownWith(operation) : []
    return samples.map(({ source }) => source)
  }
}

/** Runs samples with this server and this identifier, and resolves to what they print. */
async function runner(t: Test, { fileOf, written = (sample) => sample, around, command }: Language, folder: string) {
  const app = await build(t, { records: neighbors.map((id) => `{"id":${id},"petId":${id},"quantity":2}`) })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return async (source: string) => {
    const text = source.replaceAll(exampleServer, `${origin}/v1`).replace(/\b(1007|504)(?=n?\b)/, exact)
    const files = { [fileOf(0)]: written(text, 0), ...around([fileOf(0)]) }
    for (const [name, content] of Object.entries(files)) await writeFile(`${folder}/${name}`, content)
    return run(folder, 'env', `API_KEY=${key}`, ...command)
  }
}

t.test('every operation has a sample in every language, about the same identifier as its example', async (t) => {
  for (const operation of operations) {
    const { id: operationId, parameters } = operation
    const samples = shownWith(operation)
    t.strictSame(
      samples.map(({ label }) => label),
      languages.map(({ label }) => label),
      operationId,
    )
    for (const { label, source } of samples) {
      t.ok(source.includes(exampleServer), `${operationId}: ${label}`)
      for (const { examples } of parameters) {
        for (const { value } of examples.filter((one) => typeof one.value === 'number'))
          t.match(source, new RegExp(`\\b${value}n?\\b`), `${operationId}: ${label}`)
      }
    }
  }
})

t.test('samples contain parameters and bodies, quoted for each language; given samples are kept', async (t) => {
  const int64 = { type: 'integer', format: 'int64' }
  const parameters = [
    { in: 'path', name: 'name', required: true, schema: { type: 'string' }, examples: { one: { value: "it's" } } },
    { in: 'query', name: 'ids', schema: { type: 'array', items: int64 }, example: [1, 2] },
    { in: 'query', name: 'joined', explode: false, schema: { type: 'array' }, example: ['a,b', 'c'] },
    { in: 'query', name: 'none', schema: { type: 'string' } },
    { in: 'header', name: 'X-Kind', schema: { type: 'string', example: 'a' } },
  ]
  const content = { 'application/json': { example: { 'a-b': ["it's", null], c: true } } }
  const operation = { operationId: 'send', parameters, requestBody: { content }, responses: { 200: {} } }
  const own = [{ lang: 'Go', label: 'Go', source: 'own' }]
  const text = { operationId: 'own', requestBody: { content: { 'text/plain': { example: 'x' } } }, responses: {} }
  const document = documentOf({
    '/a/{name}': { put: operation },
    '/b': { get: { ...text, 'x-codeSamples': own }, post: { ...text, operationId: 'a-b' } },
    '/c': { patch: { ...text, operationId: 'c', requestBody: { content: { 'application/json': { example: '@a' } } } } },
  })
  const samples = samplesOf(document)
  t.match(samples('PATCH')[0], `--data-raw '"@a"'`)
  const [curl = '', , python, go] = samples('PUT')
  t.ok(
    curl.includes(
      `-X PUT \\\n  -H 'X-Kind: a' \\\n  -H 'Content-Type: application/json' \\\n` +
        `  --data-raw '{\n    "a-b": [\n      "it'\\''s",\n      null\n    ],\n    "c": true\n  }' \\\n  '${exampleServer}/a/it'\\''s?ids=1&ids=2&joined=a%2Cb,c'`,
    ),
    curl,
  )
  const client = { package: 'things-client', error: 'ThingsError', section: 'Clients' }
  const known = { ...document, info: { title: 'Things', version: '1', 'x-client': client } } as unknown as Document
  const [, call] = samplesOf(known)('PUT')
  t.match(samplesOf(known)('POST')[1], "client['a-b'](")
  t.match(call, "import { createClient, ThingsError } from 'things-client'")
  t.match(call, '// To install it, see "Clients"')
  t.match(
    call,
    `await client.send('it\\'s', { query: { ids: [1n, 2n], joined: ['a,b', 'c'] }, headers: { 'X-Kind': 'a' }, body: { 'a-b': ['it\\'s', null], c: true } })`,
  )
  t.match(python, '        "X-Kind": "a",\n        "Content-Type": "application/json",\n    },\n    data=json.dumps({')
  t.match(go, '\trequest.Header.Set("X-Kind", "a")\n')
  t.match(go, 'strings.NewReader(`{\n  "a-b": [\n')
  t.strictSame(samples('GET'), ['own'])
  t.match(samples('POST')[0], "--data-raw 'x'")
})

t.test('operations of a shared path item, and of further methods, have samples of their own', async (t) => {
  const done = { responses: { 204: { description: 'Done.' } } }
  const paths = {
    '/a': { $ref: '#/components/pathItems/shared' },
    '/b': { $ref: '#/components/pathItems/shared' },
    '/c': { query: done, additionalOperations: { LINK: done } },
  }
  const document = { ...documentOf(paths, { pathItems: { shared: { get: done } } }), openapi: '3.2.0' } as Document
  const firsts = modelOf(withSamples(document)).operations.map((one) => shownWith(one)[0]?.source)
  t.strictSame(
    firsts.map((curl) => curl?.trim().split(' ').at(-1)),
    ['/a', '/b', '/c', '/c'].map((path) => `${exampleServer}${path}`),
  )
})

t.test('in further languages, nothing within parameters and bodies is evaluated', async (t) => {
  const example = { id: 9007199254740993n, text: `it's #{x} $y "z" \\` }
  const parameters = [{ in: 'header', name: 'X-Kind', required: true, schema: { type: 'string' }, example: "it's" }]
  const requestBody = { content: { 'application/json': { example } } }
  const responses = { 204: { description: 'Done.' } }
  const post = { operationId: 'send', security: [{ session: [] }], parameters, requestBody, responses }
  const open = { operationId: 'get', security: [], responses }
  const token = { ...open, operationId: 'token', security: [{ token: [] }] }
  const own = { ...open, operationId: 'own', 'x-codeSamples': [] }
  const securitySchemes = {
    session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    token: { type: 'apiKey', in: 'header', name: 'X-Token' },
  }
  const document = documentOf({ '/a': { post, get: open, put: token, delete: own } }, { securitySchemes })
  const [powerShell, cmd, php, ruby, java, csharp] = moreLanguages.map((language) => samplesIn(document, language))
  t.strictSame([...(php?.keys() ?? [])], ['send', 'get', 'token'])
  const lines = `{\n  "id": 9007199254740993,\n  "text": "it's #{x} $y \\"z\\" \\\\"\n}`
  const single = `'${lines.replace(/[\\']/g, '\\$&')}'`
  t.match(php?.get('send'), `CURLOPT_POSTFIELDS => ${single},`)
  t.match(php?.get('send'), `[\n        'Cookie: sid=' . getenv('API_KEY'),\n`.slice(2))
  t.match(ruby?.get('send'), `request.body = ${single}\n`)
  t.match(ruby?.get('send'), `request['Cookie'] = 'sid=' + ENV.fetch('API_KEY')\n`)
  t.match(java?.get('send'), `BodyPublishers.ofString("""\n                {\n`)
  t.match(java?.get('send'), `.header("Cookie", "sid=" + System.getenv("API_KEY"))`)
  t.match(csharp?.get('send'), `Encoding.UTF8.GetBytes(@"${lines.replaceAll('"', '""')}"));`)
  t.match(csharp?.get('send'), `("Cookie", "sid=" + Environment.GetEnvironmentVariable("API_KEY"));`)
  t.match(powerShell?.get('send'), `Headers = @{\n    'X-Kind' = 'it''s'\n    'Cookie' = 'sid=' + $env:API_KEY\n  }`)
  t.match(powerShell?.get('send'), `GetBytes('${lines.replaceAll("'", "''")}')`)
  t.match(cmd?.get('send'), '-H ^"Cookie: sid=%API_KEY%^"')
  t.match(cmd?.get('send'), '^{^\\^"id^\\^":9007199254740993,')
  for (const samples of [powerShell, cmd, php, ruby, java, csharp]) {
    t.notMatch(samples?.get('get'), 'API_KEY')
    t.match(samples?.get('token'), 'X-Token')
  }
})

const nothing = { path: {}, query: {}, headers: {}, cookies: {} }

const callable = (more: Partial<Callable> = {}): Callable => ({
  ...{ id: 'send', method: 'POST', path: '/a', parameters: [], alternatives: [], accept: [], hasResult: true },
  ...{ client: undefined, ...more },
})

t.test('curl for cmd.exe gets the arguments as they are', async (t) => {
  const [, language] = moreLanguages
  for (const { body = '', type = '' } of pictures) {
    if (/multipart|octet-stream/.test(type) || body === '') continue
    const call = callOf(callable(), { ...nothing, body, type }, 'http://h')
    const sample = String(language?.write(call))
    t.notMatch(sample, /(?<!\^)"/, 'no quote hides a caret')
    const args = argumentsIn(sample)
    t.equal(args[args.indexOf('--data-raw') + 1], String(call.body?.chunks[0]).replaceAll('\r\n', '\n'))
    t.equal(args.at(-1), 'http://h/a')
    t.equal(args[0], type === 'text/csv' ? 'rem' : 'curl', 'what it changes is said')
  }
})

const { tarball } = await pack(t, 'packages/client')
/**
 * Here at most curl is missing. The merge checks set SAMPLES=1, and then a language of the page that is missing fails;
 * SAMPLES=all, as at night, runs the others, too.
 */
const hasCurl = spawnSync('curl', ['--version']).status === 0
const common = languages.filter(({ label }) => label === 'JavaScript' || (label === 'curl' && hasCurl))
/** Go first compiles its library, if it has not been used yet. */
const withCompiler = { timeout: 300_000 }
const chosen = { 1: languages, all: [...languages, ...more] }[env.SAMPLES as 'all'] ?? common
for (const language of chosen) {
  const { label } = language
  t.test(`the samples in ${label} work, with exact identifiers`, withCompiler, async (t) => {
    const folder = await install(t, tarball)
    await writeFile(`${folder}/package.json`, '{"type":"module"}')
    const sample = await runner(t, language, folder)
    const list = async () => (await sample(sourceOf('listOrders', label))).match(/\d{10,}/g) ?? []
    const listed = (ids: string[]) => ids.flatMap((id) => [id, id]) // the petIds as well

    t.strictSame(await list(), listed(neighbors))
    t.match(await sample(sourceOf('getPetById', label)), new RegExp(`\\b${exact}n?\\b`))
    const cancel = sourceOf('cancelOrder', label)
    t.match(await sample(cancel), /^(done$|(HTTP\/1.1 )?204\b)/m)
    t.match(await sample(cancel), 'order_already_cancelled')
    t.strictSame(await list(), listed(neighbors.filter((id) => id !== exact)))
    for (const operationId of others) t.ok(await sample(sourceOf(operationId, label)), operationId)
  })

  t.test(`requests in ${label} arrive as they are described`, withCompiler, async (t) => {
    const calls = pictures.map(({ method = 'POST', key, cannot: _, ...input }, place) => {
      const called = callable({ method, alternatives: key ? [{ name: '', credentials: key }] : [] })
      return { name: `${place}`, at: (server: string) => callOf(called, { ...nothing, ...input }, server) }
    })
    const { sent, differences } = await recorded(language, calls)
    t.strictSame(differences, [])
    t.equal(sent, pictures.filter(({ cannot = [] }) => !cannot.includes(label)).length)
  })
}
