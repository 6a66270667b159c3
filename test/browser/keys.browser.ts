// Keys are sent, and checked, as each security scheme says; the page claims nothing that it cannot know.
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { send, serveDocument, settles, show, tryIt } from './fixture.ts'

const responses = { 200: { description: 'Done.' } }
const apiKey = (place: string, name: string) => ({ type: 'apiKey', in: place, name })
const bearer = { type: 'http', scheme: 'bearer' }

function serveApi(t: Test, paths: object, securitySchemes: object, app = Fastify()) {
  const document = documentOf(paths, { securitySchemes })
  return serveDocument(t, Object.assign(document, { servers: [{ url: '/v1' }] }), app)
}

t.test('of several keys, the chosen one has its fields, and each is checked', async (t) => {
  const others = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, apiKey('header', name)]))
  const securitySchemes = { ...others, basic: { type: 'http', scheme: 'basic' }, unknown: bearer }
  const security = Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] }))
  const post = { operationId: 'post', security, responses }
  const get = { operationId: 'get', security: [{ basic: [] }], responses }
  const app = Fastify()
  const wanted = `Basic ${Buffer.from('Zoë:a b').toString('base64')}`
  app.get('/v1/pets', async ({ headers }, reply) => reply.code(headers.authorization === wanted ? 200 : 401).send())
  const origin = await serveApi(t, { '/pets': { post, get } }, securitySchemes, app)
  const page = await show(t, 'about:blank', {}, [origin])
  page.removeAllListeners('console') // 401, and several passwords in one form
  await page.goto(`${origin}/docs`)
  const access = page.getByRole('form', { name: 'Server and API key' })
  for (const [scheme, keys, verdict] of [
    ['basic', ['Zoë', 'wrong'], 'The server rejects this key'],
    ['basic', ['Zoë', 'a b'], 'Key accepted'],
    ['unknown', ['any'], 'Kept in memory until you leave the page.'],
  ] as const) {
    await access.getByLabel('Authorization').selectOption(scheme)
    const fields = access.locator(`[data-scheme="${scheme}"]`)
    for (const [at, key] of keys.entries()) await fields.nth(at).fill(key)
    await fields.last().press('Enter')
    await settles(t, () => access.locator(`#key-${scheme}-hint`).innerText(), verdict)
  }
  await send(t, await tryIt(page, 'get'), '200')
})

t.test('a request carries the keys of one alternative: the one whose keys were entered', async (t) => {
  const schemes = { one: apiKey('header', 'X-One'), two: apiKey('query', 'two'), three: bearer }
  const get = { operationId: 'either', security: [{ one: [], two: [] }, { three: [] }], responses }
  const app = Fastify()
  app.get('/v1/either', async ({ query, headers }) => [headers['x-one'], query, headers.authorization])
  const page = await show(t, `${await serveApi(t, { '/either': { get } }, schemes, app)}/docs`)
  const access = page.getByRole('form', { name: 'Server and API key' })
  const enter = async (scheme: string) => {
    await access.getByText(scheme, { exact: true }).click()
    const field = access.locator(`[data-scheme="${scheme}"]`)
    await field.fill(`key-${scheme}`)
    await field.press('Enter')
  }
  const answers = async (wanted: object) => {
    await page.getByRole('button', { name: 'Send the first call' }).click()
    const answer = async () => (await page.locator('.steps .answer').innerText()).replace(/\s/g, '')
    await settles(t, answer, JSON.stringify(wanted).replace(/\s/g, ''))
  }
  await enter('three')
  await answers([null, {}, 'Bearer key-three'])
  const form = await tryIt(page, 'either')
  const choice = form.getByLabel('Authorization')
  t.equal(await choice.inputValue(), 'three')
  await enter('one')
  await answers([null, {}, 'Bearer key-three'])
  await enter('two')
  await answers(['key-one', { two: 'key-two' }, null])
  await choice.selectOption('one and two')
  await send(t, form, '200')
  const shown = await form.locator('.try-it-response pre').first().innerText()
  t.match(shown, /"key-one",[\s\S]*"two": "key-two"[\s\S]*null/)
})

t.test('a link to a try has no key and no password, whichever field it was typed into', async (t) => {
  const schemes = { inHeader: apiKey('header', 'X-Key'), inQuery: apiKey('query', 'key') }
  const [string, password] = [{ type: 'string' }, { type: 'string', format: 'password' }]
  const parameters = [
    { in: 'header', name: 'x-key', schema: string },
    { in: 'query', name: 'pin', schema: password },
    { in: 'query', name: 'topic', schema: string },
  ]
  const schema = { type: 'object', properties: { phrase: password, text: string } }
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema } } }
  const security = [{ inHeader: [], inQuery: [] }]
  const post = { operationId: 'add', security, parameters, requestBody, responses }
  const options = { permissions: ['clipboard-read', 'clipboard-write'] }
  const page = await show(t, `${await serveApi(t, { '/add': { post } }, schemes)}/docs`, options)
  page.removeAllListeners('console') // several passwords in one form
  const form = await tryIt(page, 'add')
  for (const [at, field] of (await form.locator('input').all()).entries()) await field.fill(`typed-${at}`)
  await form.getByRole('button', { name: 'Copy link' }).click()
  await form.getByText('Copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const values = new URLSearchParams(new URL(link).hash.replace(/^[^?]*/, ''))
  t.strictSame([...values.keys()], ['query.topic', 'type', 'body'])
  t.match(values.get('body'), /^\{"text":"typed-\d"\}$/)
})
