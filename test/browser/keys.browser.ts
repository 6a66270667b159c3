// Keys are sent, and checked, as each security scheme says; the page claims nothing that it cannot know.
import { parseDocument } from 'exact-openapi'
import Fastify from 'fastify'
import t from 'tap'
import { send, serveDocument, settles, show, tryIt } from './fixture.ts'

const operation = (id: string) =>
  `{ get: { operationId: ${id}, security: [{ ${id}: [] }], responses: { '200': { description: Done. } } } }`
const document = parseDocument(
  `
openapi: 3.1.0
info: { title: Keys, version: '1' }
servers: [{ url: /v1 }]
paths:
  /inHeader: ${operation('inHeader')}
  /inQuery: ${operation('inQuery')}
  /basic: ${operation('basic')}
  /oauth: ${operation('oauth')}
  /unknown/{id}:
    get:
      operationId: unknown
      security: [{ unknown: [] }]
      parameters: [{ in: path, name: id, required: true, schema: { type: string }, example: a }]
      responses: { '200': { description: Done. } }
components:
  securitySchemes:
    inHeader: { type: apiKey, in: header, name: X-Key }
    inQuery: { type: apiKey, in: query, name: key }
    basic: { type: http, scheme: basic }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: https://example.com/token, scopes: {} } } }
    unknown: { type: http, scheme: bearer }
`,
  'keys',
)

t.test('of several keys, the chosen one has its fields, and each is checked', async (t) => {
  const app = Fastify()
  const wanted = `Basic ${Buffer.from('Zoë:a b').toString('base64')}`
  app.get('/v1/basic', async ({ headers }, reply) => reply.code(headers.authorization === wanted ? 200 : 401).send())
  const origin = await serveDocument(t, document, app)
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
  await send(t, await tryIt(page, 'basic'), '200')
})

t.test('a request carries the keys of one alternative: the one whose keys were entered', async (t) => {
  const either = parseDocument(
    `
openapi: 3.1.0
info: { title: Either, version: '1' }
servers: [{ url: /v1 }]
paths:
  /either: { get: { operationId: either, security: [{ one: [], two: [] }, { three: [] }], responses: { '200': { description: Done. } } } }
components:
  securitySchemes:
    one: { type: apiKey, in: header, name: X-One }
    two: { type: apiKey, in: query, name: two }
    three: { type: http, scheme: bearer }
`,
    'either',
  )
  const app = Fastify()
  app.get('/v1/either', async ({ query, headers }) => [headers['x-one'], query, headers.authorization])
  const page = await show(t, `${await serveDocument(t, either, app)}/docs`)
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
  const secret = parseDocument(
    `
openapi: 3.1.0
info: { title: Secrets, version: '1' }
servers: [{ url: /v1 }]
paths:
  /add:
    post:
      operationId: add
      security: [{ inHeader: [], inQuery: [] }]
      parameters:
        - { in: header, name: x-key, schema: { type: string } }
        - { in: query, name: pin, schema: { type: string, format: password } }
        - { in: query, name: topic, schema: { type: string } }
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { phrase: { type: string, format: password }, text: { type: string } } }
      responses: { '200': { description: Done. } }
components:
  securitySchemes:
    inHeader: { type: apiKey, in: header, name: X-Key }
    inQuery: { type: apiKey, in: query, name: key }
`,
    'secrets',
  )
  const options = { permissions: ['clipboard-read', 'clipboard-write'] }
  const page = await show(t, `${await serveDocument(t, secret)}/docs`, options)
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
