import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadDocument } from 'exact-openapi'
import Fastify from 'fastify'
import t from 'tap'
import { main } from '../src/cli.ts'
import { carriedBy } from './fixtures/carried.ts'
import { site } from './fixtures/site.ts'
import { largeDocument } from './large-document.ts'

async function run(...args: string[]) {
  let printed = ''
  const status = await main(args, (text) => {
    printed += text
  })
  return { status, printed }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length))

const responses = { 200: { description: 'A.' } }

/** The text of a document with one path. */
function described(path: object, more: object = {}) {
  const [info, servers] = [{ title: 'A', version: '1' }, [{ url: 'https://a.example/v1/' }]]
  return JSON.stringify({ openapi: '3.1.0', info, servers, paths: { '/pets': path }, ...more })
}

t.test('a site for any static host is written, and every link in it leads to a file', async (t) => {
  const folder = t.testdir({ 'large.json': JSON.stringify(largeDocument()), 'changes.md': '## 1\n\nFirst.' })
  const out = join(folder, 'out')
  const { status, printed } = await run(
    ...['build', join(folder, 'large.json'), out, '--url', 'https://docs.example/shop/', '--path', '/reference'],
    ...['--server', 'https://api.example', '--changelog', join(folder, 'changes.md')],
  )
  t.match([status, printed], [0, /^\d+ files in /])
  const files = filesIn(out)
  const textOf = (name: string) => readFileSync(join(out, name), 'utf8')
  for (const page of files.filter((name) => name.endsWith('.html') && name !== '/index.html')) {
    const text = textOf(page)
    for (const [, href = ''] of text.matchAll(/ (?:href|src)="(?!https?:|#)([^"#]+)/g)) {
      const { pathname } = new URL(href, `http://x${page}`)
      const isThere = [pathname, `${pathname}/index.html`].some((name) => files.includes(name))
      t.ok(isThere, `${page}: ${href}`)
    }
    t.match(text, '<link rel="canonical" href="https://docs.example/shop/reference')
  }
  for (const name of ['geist.woff2', 'icons.svg', 'php/index.html']) t.match(files.join(' '), `/${name}`)
  t.match(textOf('reference/tags/things/index.html'), 'https://<wbr>api.example</span><wbr>/things-0')
  t.match(textOf('sitemap.xml'), '<loc>https://docs.example/shop/reference/changelog</loc>')
})

t.test('where the API is not known, nothing can be tried', async (t) => {
  const info = { title: 'A', version: '1', description: '[a](./nowhere.md)' }
  const folder = t.testdir({
    'a.json': described({ get: { operationId: 'a', responses } }, { info, servers: [{ url: '/v1' }] }),
  })
  t.equal((await run('build', join(folder, 'a.json'), join(folder, 'out'))).status, 0)
  const page = readFileSync(join(folder, 'out/docs/index.html'), 'utf8')
  t.match(page, 'https://<wbr>YOUR_API_HOST<wbr>/v1</span><wbr>/pets')
  t.notMatch(carriedBy(page).rest, /class="try-it|first-call|canonical|Swagger UI/)
  t.notOk(filesIn(join(folder, 'out')).includes('/sitemap.xml'))
  t.match(readFileSync(join(folder, 'out/index.html'), 'utf8'), 'url=./docs/')
})

t.test('no file is written outside of the folder', async (t) => {
  const folder = t.testdir({ 'a.json': described({ get: { operationId: '../../../evil', responses } }) })
  t.match(await run('build', join(folder, 'a.json'), join(folder, 'out')), { status: 1, printed: /leads out of/ })
  t.notOk(filesIn(folder).includes('/evil.js'))
})

t.test('examples that do not fit are named with their places, and so are samples that a server refuses', async (t) => {
  const age = { type: 'integer', minimum: 0 }
  const pet = { type: 'object', required: ['age'], properties: { age, key: { type: 'string', writeOnly: true } } }
  const returned = { age: 1, key: 'of a request' }
  const json = (media: object) => ({ 'application/json': { schema: pet, ...media } })
  const examples = { old: { value: { age: -1 } }, new: { value: { age: 1 } } }
  const count = { schema: { ...age, example: -2 } }
  const sent = (example: unknown) => ({ post: { requestBody: { content: json({ example }) }, responses } })
  const post = {
    operationId: 'addPet',
    parameters: [{ in: 'query', name: 'mode', schema: { enum: ['a'] }, example: 'b' }],
    requestBody: {
      content: { ...json({ examples }), 'multipart/form-data': { schema: { type: 'array', items: pet } } },
    },
    responses: { 200: { description: 'It.', headers: { 'X-Count': count }, content: json({ example: {} }) } },
    callbacks: { done: { '{$request.body#/url}': sent(returned) } },
  }
  const put = { responses, requestBody: { content: { 'application/octet-stream': {} } } }
  const parameters = [{ in: 'query', name: 'q', required: true, schema: false }]
  const folder = t.testdir({
    'wrong.json': described({ post, get: { responses, parameters } }, { webhooks: { grown: sent(returned) } }),
    'right.json': described({ get: { responses }, put }),
    'broken.json': described({ get: { responses: { 200: { $ref: '#/nowhere' } } } }),
  })
  const { status, printed } = await run('check', join(folder, 'wrong.json'))
  t.equal(status, 1)
  const places = printed
    .trimEnd()
    .split('\n')
    .map((line) => line.split(': ', 2).join(': '))
  t.strictSame(places, [
    'example: POST /pets, query mode, example',
    'example: POST /pets, body, application/json, example old',
    'example: POST /pets, 200, application/json, example',
    'example: POST /pets, 200, header X-Count, example of the schema',
    'example: POST {$request.body#/url}, body, application/json, example',
    'example: POST grown, body, application/json, example',
    'sample: POST /pets, multipart/form-data',
    'sample: GET /pets',
  ])
  t.match(printed, 'example old: age must be >= 0\n')
  t.match(printed, /multipart\/form-data: 400 body must be array/)
  t.strictSame(await run('check', join(folder, 'right.json')), { status: 0, printed: '' })
  t.match(await run('check', join(folder, 'broken.json')), { status: 1, printed: /nowhere/ })
  const logged: { msg: string; examples: string[] }[] = []
  const logger = { stream: { write: (line: string) => void logged.push(JSON.parse(line)) } }
  const app = Fastify({ logger })
  await (await site(t, loadDocument(new URL(`file://${folder}/wrong.json`)), {}, app)).ready()
  t.match(logged, [{ msg: /do not fit their schemas: 6\./, examples: { length: 6 } }])
  const many = Array.from({ length: 21 }, (_, at) => ({ in: 'query', name: `q${at}`, schema: age, example: -1 }))
  const document = JSON.parse(described({ get: { parameters: many, responses } }))
  await (await site(t, document, {}, Fastify({ logger }))).ready()
  t.match(logged[1], { msg: /do not fit their schemas: 21\./, examples: { length: 20 } }, 'twenty are logged')
})

t.test('wrong arguments are explained', async (t) => {
  for (const args of [[], ['build', 'a'], ['build', 'a', 'b', 'c'], ['show', 'a', 'b'], ['check'], ['check', 'a', 'b']])
    t.match(await run(...args), { status: 1, printed: /^Usage: openapi-pages build FILE OUT/ })
  t.match(await run('build', '--wrong'), { status: 1, printed: /Unknown option/ })
  t.match(await run('build', '/nowhere.yaml', 'out'), { status: 1, printed: /ENOENT/ })
})
