import type { Document } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { partPaths } from '../../src/reference/paths.ts'
import { readReference } from '../../src/reference/read.ts'
import { type PlacedEntry, searchEntries } from '../../src/reference/search-entries.ts'
import { site } from '../fixtures/site.ts'
import { largeDocument } from '../large-document.ts'

type Schemas = Record<string, object>

async function served(t: Test, document = largeDocument()) {
  const app = await site(t, document)
  return async (url: string) => (await app.inject({ url, headers: { host: 'api.example.com' } })).body
}

const details = '/docs/details'
const names = ['things', 'Things!', '物', 'Other']
const groups = ['/docs/tags/things', '/docs/tags/things-2', '/docs/tags/tag-3', '/docs/tags/other']

t.test('a large reference has a page for each group, and one for what they share', async (t) => {
  const get = await served(t)
  const first = await get('/docs')
  t.match(first, '<h2 dir="auto" id="notes-heading">')
  t.match(first, /<a href=".\/docs\/tags\/things#things\/get-0"><span class="method method-get">GET<\/span>/)
  t.notMatch(first, '<article')
  for (const [i, path] of groups.entries()) {
    const page = await get(path)
    t.equal(page.match(/<article class="operation"/g)?.length, 30)
    t.match(page, `id="things/get-${i}"`)
    t.match(page, '<a href="../../docs/details#schema-Thing">Thing</a>')
    t.equal(page.match(/<details open>/g)?.length, 1, 'the contents show the group')
    t.match(page, new RegExp(`<h1[^>]*>${names[i]}</h1>`))
    t.match(page, `<title>${names[i]}: Things</title>`)
  }
  t.match(await get(details), '<title>Details: Things</title>')
  for (const id of ['schema-Thing', 'headers-ETag', 'responses-404']) t.match(await get(details), ` id="${id}"`)
})

t.test('a hundred operations are on one page, and one more makes several', async (t) => {
  for (const count of [100, 101]) {
    const paths = Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${at}`, { get: { responses: {} } }]))
    t.equal(partPaths(modelOf(documentOf(paths)), '/docs', true).length > 1, count > 100)
  }
})

t.test('a page has at most a hundred schemas', async (t) => {
  const get = await served(t, largeDocument(150))
  t.equal((await get(details)).match(/<section class="schema"/g)?.length, 100)
  t.equal((await get(`${details}-2`)).match(/<section class="schema"/g)?.length, 52)
  t.match(await get(details), '<a href="../docs/details-2#schema-More-149">')
  t.notMatch(await get(`${details}-2`), 'id="headers"')
  t.match(await get(`${details}-2`), '<title>Schemas, part 2: Things</title>')
  t.match(await get('/sitemap.xml'), `${details}-2</loc>`)
})

t.test('a link within a text leads to the page of its part: a field, a response, a row of the guide', async (t) => {
  const document = largeDocument(150) as { info: { description: string }; components: { schemas: Schemas } } & Document
  document.info.description += '\n\n[one](#schema-More-149-name), [two](#things/get-1-200)\n\n| one |\n|---|\n| `a` |'
  document.components.schemas.Thing = { description: '[three](#notes-a), [four](#schema-Thing)' }
  const get = await served(t, document)
  t.match(await get('/docs'), '<a href="./docs/details-2#schema-More-149-name">one</a>')
  t.match(await get('/docs'), '<a href="./docs/tags/things-2#things/get-1-200">two</a>')
  t.match(await get('/docs'), '<tr id="notes-a">')
  t.match(await get(details), '<a href="../docs#notes-a">three</a>, <a href="#schema-Thing">four</a>')
})

t.test('every link of a large reference leads to a part, and no id is twice', async (t) => {
  const get = await served(t)
  const pages = new Map<string, string[]>()
  const links: [page: string, href: string][] = []
  for (const path of ['/docs', ...groups, details]) {
    const html = await get(path)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
    t.equal(new Set(ids).size, ids.length, path)
    pages.set(path, ids)
    links.push(...[...html.matchAll(/ href="([^"]*#[^"]+)"/g)].map(([, href = '']): [string, string] => [path, href]))
  }
  for (const [page, href] of links) {
    const { pathname, hash } = new URL(href, `http://localhost${page}`)
    t.ok(pages.get(pathname)?.includes(decodeURIComponent(hash.slice(1))), `${page}: ${href}`)
  }
})

t.test(
  'webhooks of a large reference have a page, with errors of their own and no form; a link that leads nowhere stays',
  async (t) => {
    const shipped = {
      post: { description: 'See [it](#nowhere-at-all).', responses: { 404: { description: 'No hook.' } } },
    }
    const get = await served(t, { ...(largeDocument() as object), openapi: '3.1.0', webhooks: { shipped } } as never)
    const page = await get('/docs/webhooks')
    t.match(page, '<title>Webhooks: Things</title>')
    t.match(page, '<a href="#nowhere-at-all">it</a>')
    t.ok(page.includes('No hook.'), 'an error of its own')
    t.notOk(page.includes('operations/postShipped.js'), 'no form')
    t.match(await get('/docs'), '<a href="./docs/webhooks#postShipped"')
  },
)

t.test('the other formats of a large reference name its pages', async (t) => {
  const get = await served(t)
  t.match(await get('/docs.md'), '30 operations: [/docs/tags/things.md](/docs/tags/things.md)')
  t.match(await get('/docs/tags/things.md'), '### Get thing 0')
  const whole = await get('/llms-full.txt')
  for (const i of [0, 1, 2, 3]) t.match(whole, `GET /things-${i}\``)
  t.match(await get('/llms.txt'), '(http://api.example.com/docs/tags/things.md#things/get-0): Get thing 0')
  for (const path of [...groups, details])
    t.match(await get('/sitemap.xml'), `<loc>http://api.example.com${path}</loc>`)
})

t.test('without tags, paths make groups, by the first segment in which they differ', async (t) => {
  const get = { responses: {} }
  const named = (paths: string[]) => {
    const document = documentOf(Object.fromEntries(paths.map((path) => [path, { get }])))
    return readReference(document).groups.map(({ name, entries }) => [name, entries.length])
  }
  t.strictSame(named(['/v1/orders', '/v1/orders/{id}', '/v1/pets/{id}/toys']), [
    ['orders', 2],
    ['pets', 1],
  ])
  t.strictSame(named(['/a', '/a/{id}']), [['a', 2]])
  t.strictSame(named(['/getOne', '/getTwo', '/']), [['Operations', 3]], 'one group is better than one each')
  t.strictSame(named(['/a', '/b', '/c', '/c/{id}']), [['Operations', 4]], 'or than nearly one each')
})

t.test('the search of each page finds parameters, fields and descriptions of all', async (t) => {
  const get = await served(t)
  for (const path of ['/docs', ...groups, details])
    t.match(await get(path), /data-url="[./]*docs\/search-all\.js"/, path)
  const [, json = '[]'] = /export const all = (.*)/.exec(await get('/docs/search-all.js')) ?? []
  const all = JSON.parse(json) as PlacedEntry[]
  for (const [id, page, text] of [
    ['things/get-7-flavor', '/docs/tags/other', 'Which taste it has.'],
    ['things/get-7', '/docs/tags/other', /^Notes/],
    ['schema-Thing-name', details, ''],
    ['headers-ETag', details, ''],
    ['notes', '/docs', 'See one.'],
  ] as const)
    t.match(all.filter((entry) => entry.id === id)[0], { page, text }, id)
  t.equal(new Set(all.map(({ id }) => id)).size, all.length)
})

t.test(
  'what operations of a page have in common is found once, by its values too, in its first 400 characters',
  async (t) => {
    const schema = { type: 'string', enum: ['sweet'] }
    const parameters = [{ in: 'query', name: 'taste', description: 'a'.repeat(500), schema }]
    const [get, put] = ['one', 'two'].map((operationId) => {
      return { operationId, summary: 'Taste', parameters, responses: {}, 'x-search-terms': ['first', 'last'] }
    })
    const short = [{ ...parameters[0], description: 'It.' }]
    const post = { operationId: 'three', parameters: short, responses: {} }
    const all = searchEntries(readReference(documentOf({ '/a': { get, post, put } })))
    t.match(
      all.find(({ id }) => id === 'one'),
      { synonyms: 'first, last' },
    )
    const found = all.filter(({ title }) => title === 'taste').map(({ id, text }) => [id, text])
    t.strictSame(
      new Map(found as []),
      new Map([
        ['one-taste', 'a'.repeat(400)],
        ['three-taste', 'It. sweet'],
      ]),
    )
  },
)

t.test('alternatives below a field are counted, and names in snake case break between words', async (t) => {
  const inner = { oneOf: ['x', 'y'].map((name) => ({ type: 'object', properties: { [name]: { type: 'string' } } })) }
  const schema = { type: 'object', properties: { outer: { type: 'object', properties: { inner } } } }
  const responses = { 200: { description: 'Done.', content: { 'application/json': { schema } } } }
  const operation = { operationId: 'a', summary: 'list_all_things', responses }
  const get = await served(t, documentOf({ '/a': { get: operation } }))
  const page = await get('/docs')
  t.match(page, '>2 alternatives<span')
  t.match(page, 'list_<wbr>all_<wbr>things')
})
