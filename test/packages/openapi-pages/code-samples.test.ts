// The code samples of the document, each run in its own language against a server.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process, { env } from 'node:process'
import type { Document } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { moreLanguages, languages as shown } from '../../../packages/openapi-pages/browser/languages.js'
import { bodyText, callOf } from '../../../packages/openapi-pages/browser/request.js'
import { samplesIn, withSamples } from '../../../packages/openapi-pages/src/code-samples/index.ts'
import { ofOperation } from '../../../packages/openapi-pages/src/extensions.ts'
import { exampleServer } from '../../../packages/openapi-pages/src/server.ts'
import { bodies } from '../../../packages/openapi-pages/test/fixtures/bodies.ts'
import { loadDocument } from '../../../spec/document.ts'
import { build, key } from '../../fixtures/app.ts'
import { install, pack, run } from '../package.ts'

const shownWith = (operation: Operation) => ofOperation(operation)['x-codeSamples'] ?? []

/** A number that a double cannot represent; its neighbors are orders and pets, too. */
const exact = '9007199254740993'
const around = ['9007199254740992', exact, '9007199254740994']

interface Language {
  label: string
  file: string
  command: readonly string[]
  /** The sample as the installed compiler takes it. */
  program?(sample: string): string
}

const languages: Language[] = [
  { label: 'curl', file: 'a.sh', command: ['sh', 'a.sh'] },
  { label: 'JavaScript', file: 'a.js', command: [process.execPath, 'a.js'] },
  { label: 'Python', file: 'a.py', command: ['python3', 'a.py'] },
  { label: 'Go', file: 'a.go', command: ['go', 'run', 'a.go'] },
]

const more: Language[] = [
  { label: 'PHP', file: 'a.php', command: ['php', 'a.php'] },
  { label: 'Ruby', file: 'a.rb', command: ['ruby', 'a.rb'] },
  { label: 'Java', file: 'Example.java', command: ['java', 'Example.java'] },
  {
    label: 'C#',
    file: 'a.cs',
    command: ['sh', '-c', 'mcs -nologo -r:System.Net.Http a.cs && mono a.exe'],
    program: asClass,
  },
]

/** Mono knows C# 7: without top-level statements, using declarations, and the namespaces that .NET 6 imports. */
function asClass(sample: string): string {
  const [imports = '', statements = ''] = sample.replaceAll('using var', 'var').split(/(?<=;)\n\n(.*)/s)
  return `using System; using System.Net.Http; using System.Threading.Tasks; ${imports}
class Example {
  static void Main() => Run().GetAwaiter().GetResult();
  static async Task Run() {
${statements}  }
}
`
}

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
async function runner(t: Test, { file, command, program = (sample) => sample }: Language, folder: string) {
  const app = await build(t, { records: around.map((id) => `{"id":${id},"petId":${id},"quantity":2}`) })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return async (source: string) => {
    const text = source.replaceAll(exampleServer, `${origin}/v1`).replace(/\b(1007|504)(?=n?\b)/, exact)
    await writeFile(`${folder}/${file}`, program(text))
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
        for (const { value } of examples.filter((one) => typeof one.value === 'number')) {
          t.match(source, new RegExp(`\\b${value}n?\\b`), `${operationId}: ${label}`)
        }
      }
    }
  }
})

t.test('samples contain parameters and bodies, quoted for each language; given samples are kept', async (t) => {
  const parameters = [
    { in: 'path', name: 'name', required: true, schema: { type: 'string' }, examples: { one: { value: "it's" } } },
    {
      in: 'query',
      name: 'ids',
      schema: { type: 'array', items: { type: 'integer', format: 'int64' } },
      example: [1, 2],
    },
    {
      in: 'query',
      name: 'joined',
      explode: false,
      schema: { type: 'array', items: { type: 'string' } },
      example: ['a,b', 'c'],
    },
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
  const [curl = '', javaScript, python, go] = samples('PUT')
  t.ok(
    curl.includes(
      `-X PUT \\\n  -H 'X-Kind: a' \\\n  -H 'Content-Type: application/json' \\\n` +
        `  --data-raw '{"a-b":["it'\\''s",null],"c":true}' \\\n  '${exampleServer}/a/it'\\''s?ids=1&ids=2&joined=a%2Cb,c'`,
    ),
    curl,
  )
  t.match(
    javaScript,
    `fetch("${exampleServer}/a/it's?ids=1&ids=2&joined=a%2Cb,c", {\n  method: 'PUT',\n` +
      '  headers: { "X-Kind": "a", "Content-Type": "application/json" },\n  body: "{',
  )
  const client = { package: 'things-client', error: 'ThingsError', section: 'Clients' }
  const known = { ...document, info: { title: 'Things', version: '1', 'x-client': client } } as unknown as Document
  const [, call] = samplesOf(known)('PUT')
  t.match(samplesOf(known)('POST')[1], 'client["a-b"](')
  t.match(call, "import { createClient, ThingsError } from 'things-client'")
  t.match(call, '// To install it, see "Clients"')
  t.match(
    call,
    `await client.send("it's", { query: { ids: [1n, 2n], joined: ["a,b", "c"] }, headers: { "X-Kind": "a" }, body: { "a-b": ["it's", null], c: true } })`,
  )
  t.match(python, '"X-Kind": "a", "Content-Type": "application/json"},\n    data="{\\"a-b\\"')
  t.match(go, '\trequest.Header.Set("X-Kind", "a")\n')
  t.match(go, 'strings.NewReader("{\\"a-b\\"')
  t.strictSame(samples('GET'), ['own'])
  t.match(samples('POST')[0], "--data-raw 'x'")
})

t.test(
  'operations of a shared path item have samples of their own, and so have those of further methods',
  async (t) => {
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
  },
)

t.test('a JSON body keeps its digits, and a form is encoded', async (t) => {
  const example = { id: 9007199254740993n, tags: ['a b', 'c'], within: { id: 9007199254740993n } }
  const send = (type: string) => ({
    operationId: type,
    requestBody: { content: { [type]: { example } } },
    responses: { 204: { description: 'Done.' } },
  })
  const samples = samplesOf(
    documentOf({ '/a': { post: send('application/json'), put: send('application/x-www-form-urlencoded') } }),
  )
  t.match(
    samples('POST')[0],
    `--data-raw '{"id":9007199254740993,"tags":["a b","c"],"within":{"id":9007199254740993}}'`,
  )
  t.match(
    samples('PUT')[0],
    `--data-raw 'id=9007199254740993&tags=a+b&tags=c&within=%7B%22id%22%3A9007199254740993%7D'`,
  )
})

t.test(
  'in further languages, parameters and bodies are quoted, so that nothing within them is evaluated',
  async (t) => {
    const example = { id: 9007199254740993n, text: `it's #{x} $y "z" \\` }
    const parameters = [{ in: 'header', name: 'X-Kind', required: true, schema: { type: 'string' }, example: "it's" }]
    const security = [{ session: [] }]
    const requestBody = { content: { 'application/json': { example } } }
    const post = {
      operationId: 'send',
      security,
      parameters,
      requestBody,
      responses: { 204: { description: 'Done.' } },
    }
    const open = { operationId: 'get', security: [], responses: { 204: { description: 'Done.' } } }
    const token = { ...open, operationId: 'token', security: [{ token: [] }] }
    const own = { ...open, operationId: 'own', 'x-codeSamples': [] }
    const securitySchemes = {
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
      token: { type: 'apiKey', in: 'header', name: 'X-Token' },
    }
    const document = documentOf({ '/a': { post, get: open, put: token, delete: own } }, { securitySchemes })
    const [powerShell, cmd, php, ruby, java, csharp] = moreLanguages.map((language) => samplesIn(document, language))
    t.strictSame([...(php?.keys() ?? [])], ['send', 'get', 'token'])
    const single = `'{"id":9007199254740993,"text":"it\\'s #{x} $y \\\\"z\\\\" \\\\\\\\"}'`
    const double = JSON.stringify(`{"id":9007199254740993,"text":"it's #{x} $y \\"z\\" \\\\"}`)
    t.match(php?.get('send'), `CURLOPT_POSTFIELDS => ${single},`)
    t.match(
      php?.get('send'),
      `['Cookie: sid=' . getenv('API_KEY'), 'X-Kind: it\\'s', 'Content-Type: application/json']`,
    )
    t.match(ruby?.get('send'), `request.body = ${single}\n`)
    t.match(ruby?.get('send'), `request['Cookie'] = 'sid=' + ENV.fetch('API_KEY')\n`)
    t.match(java?.get('send'), `BodyPublishers.ofString(${double})`)
    t.match(java?.get('send'), `.header("Cookie", "sid=" + System.getenv("API_KEY"))`)
    t.match(csharp?.get('send'), `new StringContent(${double});`)
    t.match(csharp?.get('send'), `("Cookie", "sid=" + Environment.GetEnvironmentVariable("API_KEY"));`)
    t.match(powerShell?.get('send'), `Headers = @{ 'Cookie' = 'sid=' + $env:API_KEY; 'X-Kind' = 'it''s' }`)
    t.match(powerShell?.get('send'), `GetBytes('{"id":9007199254740993,"text":"it''s #{x} $y \\"z\\" \\\\"}')`)
    t.match(cmd?.get('send'), '-H ^"Cookie: sid=%API_KEY%^"')
    t.match(cmd?.get('send'), '^{^\\^"id^\\^":9007199254740993,')
    for (const samples of [powerShell, cmd, php, ruby, java, csharp]) {
      t.notMatch(samples?.get('get'), 'API_KEY')
      t.match(samples?.get('token'), 'X-Token')
    }
  },
)

/** What cmd.exe leaves at its prompt, split as programs split it ("Parsing C command-line arguments"). */
function argumentsIn(command: string): string[] {
  const line = command.replace(/\^(\n\n|.)/gs, (_, taken) => (taken === '\n' ? '' : taken === '\n\n' ? '\n' : taken))
  const words = Array.from(line.trim().matchAll(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/gs), ([word]) => word)
  return words.map((word) =>
    word.replace(/(\\*)"/g, (_, { length }) => '\\'.repeat(length / 2) + (length % 2 ? '"' : '')),
  )
}

t.test('curl for cmd.exe gets the arguments as they are', async (t) => {
  const operation = { id: 'send', method: 'POST', path: '/a', parameters: [], credentials: [], hasResult: true }
  const [, language] = moreLanguages
  for (const [type, body] of bodies) {
    const input = { path: {}, query: {}, headers: {}, cookies: {}, body, type }
    const sample = String(language?.write(callOf({ ...operation, client: undefined }, input, 'http://h')))
    t.notMatch(sample, /(?<!\^)"/, 'no quote hides a caret')
    const args = argumentsIn(sample)
    t.equal(args[args.indexOf('--data-raw') + 1], bodyText(type, body).replaceAll('\r\n', '\n'))
    t.equal(args.at(-1), 'http://h/a')
  }
})

t.test('a sample sends the credentials of the operation, and none to an open one', async (t) => {
  const schemes = {
    token: { type: 'apiKey', in: 'header', name: 'X-Token' },
    session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    inQuery: { type: 'apiKey', in: 'query', name: 'key' },
    basic: { type: 'http', scheme: 'Basic' },
    oauth: { type: 'oauth2', flows: {} },
  }
  const samplesFor = (security: object[]) => {
    const get = { operationId: 'create-booking', security, responses: { 204: { description: 'Done.' } } }
    return samplesOf(documentOf({ '/a': { get } }, { securitySchemes: schemes }))('GET')
  }
  const headers: Record<string, string | undefined> = {
    token: 'X-Token: $API_KEY',
    session: 'Cookie: sid=$API_KEY',
    basic: 'Authorization: Basic $API_KEY',
    oauth: 'Authorization: Bearer $API_KEY',
    inQuery: undefined,
  }
  for (const [name, header] of Object.entries(headers)) {
    const [curl = ''] = samplesFor([{ [name]: [] }, { other: [] }])
    t.equal(curl, `curl ${header ? `-H "${header}" \\\n  ` : ''}${exampleServer}/a\n`)
  }
  const [, javaScript = '', python = '', go = ''] = samplesFor([{ token: [] }])
  t.match(javaScript, 'headers: { "X-Token": process.env.API_KEY }')
  t.match(python, 'headers={"X-Token": os.environ["API_KEY"]},')
  t.match(go, 'request.Header.Set("X-Token", os.Getenv("API_KEY"))')
  for (const sample of samplesFor([])) t.notMatch(sample, /Authorization|environ|Getenv|process.env/)
})

const { tarball } = await pack(t, 'packages/client')
/**
 * Here at most curl is missing. The merge checks set SAMPLES=1, and then a language of the page that is missing fails;
 * SAMPLES=all runs the others, too.
 */
const hasCurl = spawnSync('curl', ['--version']).status === 0
const common = languages.filter(({ label }) => label === 'JavaScript' || (label === 'curl' && hasCurl))
const chosen = { 1: languages, all: [...languages, ...more] }[env.SAMPLES as 'all'] ?? common
for (const language of chosen) {
  const { label } = language
  t.test(`the samples in ${label} work, with exact identifiers`, async (t) => {
    const folder = await install(t, tarball)
    await writeFile(`${folder}/package.json`, '{"type":"module"}')
    const sample = await runner(t, language, folder)
    const list = async () => (await sample(sourceOf('listOrders', label))).match(/\d{10,}/g) ?? []
    const listed = (ids: string[]) => ids.flatMap((id) => [id, id]) // the petIds as well

    t.strictSame(await list(), listed(around))
    t.match(await sample(sourceOf('getPetById', label)), new RegExp(`\\b${exact}n?\\b`))
    const cancel = sourceOf('cancelOrder', label)
    t.match(await sample(cancel), /^(done$|(HTTP\/1.1 )?204\b)/m)
    t.match(await sample(cancel), 'order_already_cancelled')
    t.strictSame(await list(), listed(around.filter((id) => id !== exact)))
    for (const operationId of others) t.ok(await sample(sourceOf(operationId, label)), operationId)
  })

  t.test(`bodies in ${label} arrive as they are`, async (t) => {
    const folder = t.testdir({ 'package.json': '{"type":"module"}' })
    const got: { type: string | undefined; body: string }[] = []
    const server = createServer(async (request, response) => {
      got.push({ type: request.headers['content-type'], body: String(Buffer.concat(await request.toArray())) })
      response.end('got')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { write } = [...shown, ...moreLanguages].find((one) => one.label === label) as (typeof shown)[number]
    const { file, command, program = (sample: string) => sample } = language
    const operation = { id: 'send', method: 'POST', path: '/a', parameters: [], credentials: [], hasResult: true }
    for (const [type, body] of bodies) {
      const input = { path: {}, query: {}, headers: {}, cookies: {}, body, type }
      await writeFile(`${folder}/${file}`, program(write(callOf({ ...operation, client: undefined }, input, origin))))
      t.match(await run(folder, 'env', ...command), 'got')
      t.strictSame(got.pop(), { type, body: bodyText(type, body) })
    }
  })
}
