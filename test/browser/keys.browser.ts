// Keys are sent, and checked, as each security scheme says; the page claims nothing that it cannot know.
import { parseDocument } from 'exact-openapi'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
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

/** Each operation wants this header, or this query. */
const wanted: Record<string, string | undefined> = {
  '/v1/inHeader': 'right',
  '/v1/inQuery': '?key=right%26',
  '/v1/basic': `Basic ${Buffer.from('Zoë:a b').toString('base64')}`,
  '/v1/oauth': 'Bearer right',
}

/** The server has no HEAD at /basic, knows none at /inQuery, and forbids all at /oauth with 403. */
async function serveKeys(t: Test) {
  const app = Fastify({ exposeHeadRoutes: false })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/*',
    handler: async ({ method, url, headers }, reply) => {
      const [path = '', query] = url.split('?')
      if (path === '/v1/basic' && method === 'HEAD') return reply.code(405).send()
      if (path === '/v1/inQuery' && method === 'HEAD') return reply.code(501).send()
      const given = [headers.authorization, headers['x-key'], query && `?${query}`]
      if (!given.includes(wanted[path])) return reply.code(401).send()
      return reply.code(path === '/v1/oauth' ? 403 : 200).send()
    },
  })
  return serveDocument(t, document, app)
}

t.test('each key is checked as its scheme says', async (t) => {
  const origin = await serveKeys(t)
  const page = await show(t, 'about:blank', {}, [origin])
  page.removeAllListeners('console') // 401, 405, and several passwords in one form
  await page.goto(`${origin}/docs`)
  const access = page.getByRole('form', { name: 'Server and API key' })
  const check = async (scheme: string, key: string, verdict: string) => {
    await access.getByLabel('Authorization').selectOption(scheme)
    const fields = await access.locator(`[data-scheme="${scheme}"]`).all()
    const parts = fields.length === 1 ? [key] : key.split(':')
    for (const [at, field] of fields.entries()) await field.fill(String(parts[at]))
    await fields.at(-1)?.press('Enter')
    await settles(t, () => access.locator(`#key-${scheme}-hint`).innerText(), verdict)
  }
  await check('inHeader', 'wrong', 'The server rejects this key')
  await check('inHeader', 'right', 'Key accepted')
  await check('inQuery', 'right&', 'Key accepted')
  await check('basic', 'Zoë:wrong', 'The server rejects this key')
  await check('basic', 'Zoë:a b', 'Key accepted')
  await check('oauth', 'right', 'Not checked: the server responded with 403.')
  await check('unknown', 'any', 'Kept in memory until you leave the page.')
  const form = await tryIt(page, 'inQuery')
  t.equal(await form.getByLabel('API key').inputValue(), 'right&')
  await send(t, form, '200')
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
