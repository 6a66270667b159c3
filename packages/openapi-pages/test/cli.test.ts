import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { main } from '../src/cli.ts'
import { carriedBy } from './fixtures/carried.ts'
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

t.test('a site for any static host is written, and every link in it leads to a file', async (t) => {
  const folder = t.testdir({ 'large.json': JSON.stringify(largeDocument()), 'changes.md': '## 1\n\nFirst.' })
  const out = join(folder, 'out')
  const { status, printed } = await run(
    ...['build', join(folder, 'large.json'), out, '--url', 'https://docs.example/shop/', '--path', '/reference'],
    ...['--server', 'https://api.example', '--changelog', join(folder, 'changes.md')],
  )
  t.match([status, printed], [0, /^\d+ files in /])
  const files = filesIn(out)
  for (const page of files.filter((name) => name.endsWith('.html') && name !== '/index.html')) {
    const text = readFileSync(join(out, page), 'utf8')
    for (const [, href = ''] of text.matchAll(/ (?:href|src)="(?!https?:|#)([^"#]+)/g)) {
      const { pathname } = new URL(href, `http://x${page}`)
      const isThere = [pathname, `${pathname}/index.html`].some((name) => files.includes(name))
      t.ok(isThere, `${page}: ${href}`)
    }
    t.match(text, '<link rel="canonical" href="https://docs.example/shop/reference')
  }
  for (const name of ['geist.woff2', 'icons.svg', 'php/index.html']) {
    t.ok(
      files.some((file) => file.endsWith(`/${name}`)),
      name,
    )
  }
  t.match(readFileSync(join(out, 'reference/tags/things/index.html'), 'utf8'), 'https://api.example</span>/things-0')
  t.match(readFileSync(join(out, 'sitemap.xml'), 'utf8'), '<loc>https://docs.example/shop/reference/changelog</loc>')
})

t.test('where the API is not known, nothing can be tried', async (t) => {
  const openapi = {
    openapi: '3.0.3',
    info: { title: 'A', version: '1', description: '[a](./nowhere.md)' },
    servers: [{ url: '/v1' }],
  }
  const get = { operationId: 'a', responses: { 200: { description: 'A.' } } }
  const folder = t.testdir({ 'a.json': JSON.stringify({ ...openapi, paths: { '/a': { get } } }) })
  t.equal((await run('build', join(folder, 'a.json'), join(folder, 'out'))).status, 0)
  const page = readFileSync(join(folder, 'out/docs/index.html'), 'utf8')
  t.match(page, 'https://YOUR_API_HOST/v1</span>/a')
  t.notMatch(carriedBy(page).rest, /class="try-it|canonical|Swagger UI/)
  t.notOk(filesIn(join(folder, 'out')).includes('/sitemap.xml'))
  t.match(readFileSync(join(folder, 'out/index.html'), 'utf8'), 'url=./docs/')
})

t.test('no file is written outside of the folder', async (t) => {
  const get = { operationId: '../../../evil', responses: { 200: { description: 'A.' } } }
  const openapi = { openapi: '3.0.3', info: { title: 'A', version: '1' }, servers: [{ url: 'https://a.example' }] }
  const folder = t.testdir({ 'a.json': JSON.stringify({ ...openapi, paths: { '/a': { get } } }) })
  t.match(await run('build', join(folder, 'a.json'), join(folder, 'out')), { status: 1, printed: /leads out of/ })
  t.notOk(filesIn(folder).includes('/evil.js'))
})

t.test('wrong arguments are explained', async (t) => {
  for (const args of [[], ['build', 'a'], ['build', 'a', 'b', 'c'], ['show', 'a', 'b']]) {
    t.match(await run(...args), { status: 1, printed: /^Usage: openapi-pages build FILE OUT/ })
  }
  t.match(await run('build', '--wrong'), { status: 1, printed: /Unknown option/ })
  t.match(await run('build', '/nowhere.yaml', 'out'), { status: 1, printed: /ENOENT/ })
})
