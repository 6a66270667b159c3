import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { until } from 'test-kit/until'
import { main } from '../src/cli.ts'

const responses = { 204: { description: 'Done.' } }
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

async function run(...args: string[]) {
  let printed = ''
  const status = await main(args, (text) => {
    printed += text
  })
  return { status, printed }
}

t.test('types are written beside the document, and an array may be an item of itself', async (t) => {
  const nodes = { type: 'array', items: { $ref: '#/components/schemas/Nest/properties/nodes' } }
  const components = {
    schemas: { Nest: { type: 'object', properties: { nodes, count: { type: 'integer', format: 'int64' } } } },
  }
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components }
  const folder = t.testdir({ 'api.yaml': JSON.stringify(document) })
  t.strictSame(await run('types', `${folder}/api.yaml`), { status: 0, printed: `${folder}/api.d.ts\n` })
  t.match(readFileSync(`${folder}/api.d.ts`, 'utf8'), 'count?: bigint;')
})

t.test('check prints all problems, and what to tolerate', async (t) => {
  const id = (name: string) => ({ in: 'path', name, required: true, schema: { type: 'string' } })
  const wrong = { type: 'integer', default: 'x' }
  const schema = { type: 'object', properties: { a: wrong, b: { type: 'integer', format: 'odd' } } }
  const two = { operationId: 'two', responses, requestBody: json({ type: 'object', properties: { a: wrong } }) }
  const parameters = [
    { in: 'cookie', name: 'c', schema: { type: 'object' } },
    { in: 'query', name: 'q', explode: false, schema: { anyOf: [{ type: 'string' }, { type: 'array' }] } },
  ]
  const patterns = { pattern: '(', patternProperties: { '[': {}, a: {} } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': { get: { operationId: 'one', responses }, post: two },
      '/b': {
        post: { operationId: 'three', responses, security: [], requestBody: json(schema) },
        put: { operationId: 'three', responses, security: [{ key: [] }], parameters },
      },
      '/{a}': { delete: { operationId: 'four', responses, security: [], parameters: [id('a')] } },
      '/{b}': { delete: { operationId: 'five', responses, security: [], parameters: [id('b')] } },
    },
    components: {
      schemas: { Odd: { type: 'object', ...patterns, properties: { a: wrong } } },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  }
  const file = `${t.testdir({ 'api.json': JSON.stringify(document) })}/api.json`
  const { status, printed } = await run('check', file)
  t.equal(status, 1)
  const inBody = 'requestBody content application/json schema properties'
  t.strictSame(
    printed.split('\n').map((line) => line.replace(/(?<=not supported|: default|is given).*/, '…')),
    [
      'three is the operationId of two operations',
      'five cannot be routed: DELETE /{b} is the same as /{a}',
      'three: explode of cookie c is not supported…',
      'three: the type of query q, which may be one or several values, is not supported…',
      `unknown-format: three, ${inBody} b: the format odd of type integer is not supported…`,
      'invalid-pattern: components schemas Odd: ( is no regular expression: correct it',
      'invalid-pattern: components schemas Odd: [ is no regular expression: correct it',
      'no-security: one: no security is given…',
      'no-security: two: no security is given…',
      `wrong-default: two: ${inBody} a: default…`,
      `wrong-default: three: ${inBody} a: default…`,
      'cost: three: query q (a list) without maxItems',
      'cost: only bodyLimit (1 MiB unless given) and the 16 KiB of a head limit these',
      '',
      "tolerate: ['unknown-format', 'invalid-pattern', 'no-security', 'wrong-default']",
      '',
    ],
  )
  const valid = `${t.testdir({ 'valid.json': JSON.stringify({ ...document, paths: {}, components: {} }) })}/valid.json`
  t.strictSame(await run('check', valid), { status: 0, printed: '' })
})

t.test('check prints each odd part of the document, and what has no effect', async (t) => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', licence: 'MIT' },
    servers: [{ url: 5 }],
    paths: {
      '/a': { get: { operationId: 'one', security: [], responses: { 200: { $ref: '#/components/responses/None' } } } },
      '/b': { $ref: '#/components/x-path', get: { operationId: 'two', security: [], responses } },
    },
    components: {
      schemas: {
        A: { type: 'string' },
        B: { $ref: '#/components/schemas/A', description: 'B.', maxLength: 2, other: 1 },
        C: { type: 'object', discriminator: { propertyName: 'kind' } },
        D: { type: 'string', format: 'idn-hostname' },
      },
      'x-path': { put: { operationId: 'three', security: [], responses, tag: 'x' } },
    },
  }
  const file = `${t.testdir({ 'api.json': JSON.stringify(document) })}/api.json`
  const odd = 'invalid-part: the document is not valid OpenAPI:'
  t.strictSame((await run('check', file)).printed.split('\n'), [
    'the document is not valid OpenAPI: one, responses 200: the reference #/components/responses/None leads nowhere',
    `${odd} info: licence is no keyword of OpenAPI 3.0 here`,
    `${odd} paths /b: get has no effect beside $ref`,
    `${odd} components x-path put: tag is no keyword of OpenAPI 3.0 here`,
    `${odd} info must have required property 'version'`,
    `${odd} servers 0 url must be string`,
    'warning: components schemas B: maxLength has no effect beside $ref',
    'warning: components schemas C: discriminator has no effect without oneOf or anyOf',
    'warning: components schemas D: the format idn-hostname is not checked',
    '',
    "tolerate: ['invalid-part']",
    '',
  ])
})

t.test('a wrong call or a document that cannot be read is explained', async (t) => {
  for (const args of [[], ['check'], ['other', 'a'], ['types', 'a', 'b'], ['mock', 'a', '1', 'b']]) {
    const { status, printed } = await run(...args)
    t.equal(status, 1)
    t.match(printed, /^Usage: exact-openapi types FILE\n/)
  }
  for (const command of ['check', 'mock']) {
    t.match(await run(command, 'none.yaml'), { status: 1, printed: /^ENOENT: .*none\.yaml'\n$/ })
  }
  const folder = t.testdir({ 'odd.json': '{"openapi":"3.0.3"}' })
  const printed = /^(invalid-part: the document is not valid OpenAPI: the document must have required .*\n){2}/
  t.match(await run('types', `${folder}/odd.json`), { status: 0, printed })
  const tolerated = /^(invalid-part: the document is not valid OpenAPI: .*\n){2}\ntolerate: \['invalid-part'\]\n$/
  t.match(await run('check', `${folder}/odd.json`), { status: 1, printed: tolerated })
  const asking = { responses: {}, security: [{ other: [] }] }
  const paths = { '/a': { get: asking, post: asking } }
  const unserved = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
  const printedOfBoth = /^getA: .* "other" .*\npostA: .* "other" .*\n$/
  const mocked = await run('mock', `${t.testdir({ 'a.json': unserved })}/a.json`, '0')
  t.match(mocked, { status: 1, printed: printedOfBoth })
  const old = `${t.testdir({ 'old.json': '{"openapi":"2.0"}' })}/old.json`
  const printedOfOld = 'the document is OpenAPI 2.0: only 3.0, 3.1, 3.2 are supported\n'
  t.strictSame(await run('check', old), { status: 1, printed: printedOfOld })
})

t.test('mock serves examples, of the document as it is now', async (t) => {
  const folder = t.testdir({})
  const write = (name: string, value: unknown) => {
    writeFileSync(`${folder}/new`, JSON.stringify(value))
    renameSync(`${folder}/new`, `${folder}/${name}`) // as editors do
  }
  const responses = { 200: { description: 'A pet.', ...json({ $ref: 'pet.json' }) } }
  const pathsOf = (path: string) => ({ [path]: { get: { responses, security: [{ key: [] }] } } })
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: [{ url: 'https://api.example.com/v1' }],
    paths: pathsOf('/pet'),
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'key' } } },
    odd: true,
  }
  write('pet.json', { example: 'Rex' })
  write('api.json', document)
  let printed = ''
  const end = new AbortController()
  t.teardown(() => end.abort())
  const print = (text: string) => {
    printed += text
  }
  const status = await main(['mock', `${folder}/api.json`, '0'], print, end.signal)
  t.equal(status, 0)
  const address = printed.trim()
  t.match(address, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  const get = async (path: string, headers = {}) => {
    const response = await fetch(`${address}${path}`, { headers })
    return `${response.status} ${response.status === 200 ? await response.text() : ''}`
  }
  const headers = { key: 'any' }
  t.equal(await get('/pet'), '401 ')
  t.equal(await get('/pet', headers), '200 "Rex"')

  write('other.json', {})
  write('pet.json', { example: 'Fido' })
  await until(async () => (await get('/pet', headers)) === '200 "Fido"')
  write('api.json', { ...document, openapi: '2.0' })
  await until(() => printed.includes('only 3.0, 3.1, 3.2 are supported'))
  const twice = { responses: {}, operationId: 'a' }
  write('api.json', { ...document, paths: { '/a': { get: twice, put: twice } } })
  await until(() => printed.includes('a is the operationId of two operations'))
  t.equal(await get('/pet', headers), '200 "Fido"')
  write('api.json', { ...document, paths: pathsOf('/dog') })
  await until(async () => (await get('/dog', headers)) === '200 "Fido"')
})
