// Try it with what servers send: streams, pictures, errors of fields.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { parseDocument } from 'exact-openapi'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { check, looks } from './check.ts'
import { send, serveDocument, settles, show, statusOf, tryIt } from './fixture.ts'

const get = (id: string) => `/${id}: { get: { operationId: ${id}, responses: { '200': { description: Done. } } } }`
const document = parseDocument(
  `
openapi: 3.1.0
info: { title: Responses, version: '1' }
servers: [{ url: /v1 }]
paths:
  ${['events', 'picture'].map(get).join('\n  ')}
  /notes:
    post:
      operationId: addNote
      parameters:
        - { in: query, name: topic, required: true, schema: { type: string } }
        - { in: cookie, name: session, schema: { type: string } }
        - { in: header, name: Date, schema: { type: string } }
      requestBody:
        content:
          application/json:
            schema: { type: object, required: [text], properties: { text: { type: string }, size: { type: integer } } }
      responses: { '200': { description: Done. } }
`,
  'responses',
)

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Also below /shop. `streams` are the responses to /events, which the test writes. */
async function serveAll(t: Test) {
  const rewriteUrl = ({ url = '' }) => url.replace(/^\/shop(?=\/)/, '')
  const app = Fastify({ forceCloseConnections: true, rewriteUrl })
  const streams: ServerResponse[] = []
  app.get('/v1/events', (_request, reply) => {
    reply.hijack()
    streams.push(reply.raw)
  })
  app.get('/v1/picture', async (_request, reply) => reply.type('image/png').send(picture))
  app.post('/v1/notes', async ({ query, body, headers }, reply) => {
    if (headers.cookie !== undefined) throw new Error('a cookie')
    const { size } = (body ?? {}) as { size?: number }
    if (size === undefined) return [query, body]
    const [wrong, unknown] = [
      { loc: ['body', 'size'], msg: 'Too large' },
      { loc: ['query', 'topic'], msg: 'Unknown' },
    ]
    return reply.code(422).send({ detail: [wrong, unknown] })
  })
  const origin = await serveDocument(t, document, app)
  return { origin, streams }
}

function begin(stream?: ServerResponse) {
  stream?.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n')
}

t.test('a stream is shown while it arrives; silence is said, and waited out', async (t) => {
  const { origin, streams } = await serveAll(t)
  const page = await show(t, 'about:blank', {}, [origin])
  await page.clock.install()
  await page.goto(`${origin}/docs`)
  const form = await tryIt(page, 'events')
  await send(t, form)
  await settles(t, async () => streams.length, 1)
  await page.clock.fastForward(31_000)
  await form.getByText('No response for 30 seconds. Wait on, or cancel.').waitFor()
  begin(streams[0])
  const shown = () => form.getByLabel('Response body').textContent()
  await settles(t, async () => ((await form.getByLabel('Response body').count()) > 0 ? shown() : ''), 'data: one\n\n')
  t.equal(await statusOf(form), '200')
  await page.clock.fastForward(31_000)
  await form.getByText('Nothing more for 30 seconds. Wait on, or cancel.').waitFor()
  streams[0]?.write('data: two\n\n')
  await settles(t, shown, 'data: one\n\ndata: two\n\n')
  t.equal(await form.getByText('Nothing more').count(), 0)
  streams[0]?.end()
  await form.locator('.status-line', { hasText: ' ms' }).waitFor()
  t.equal(await form.getByRole('button', { name: 'Cancel' }).isVisible(), false)
  await page.clock.fastForward(31_000)
  t.equal(await form.getByText('for 30 seconds').count(), 0, 'the wait has ended')
  await send(t, form)
  await settles(t, async () => streams.length, 2)
  begin(streams[1])
  await settles(t, async () => ((await form.getByLabel('Response body').count()) > 0 ? shown() : ''), 'data: one\n\n')
  const closing = once(streams[1] as ServerResponse, 'close')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.getByText('Cancelled before its end.').waitFor()
  t.equal(await shown(), 'data: one\n\n')
  await closing
})

t.test('below the prefix of a reverse proxy, a picture is requested and shown', async (t) => {
  const { origin } = await serveAll(t)
  const page = await show(t, `${origin}/shop/docs/`)
  t.match(await page.locator('#picture .samples pre').first().textContent(), `${origin}/shop/v1/picture`)
  const form = await tryIt(page, 'picture')
  const request = page.waitForRequest(`${origin}/shop/v1/picture`)
  await send(t, form)
  await request
  const shown = form.getByRole('img', { name: 'The picture of the response' })
  await settles(t, () => shown.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth), 1)
})

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: an empty text is sent on purpose, and errors stand at their fields`, async (t) => {
    const { origin } = await serveAll(t)
    const page = await show(t, 'about:blank', options, [origin])
    page.removeAllListeners('console') // 422
    await page.goto(`${origin}/docs`)
    const form = await tryIt(page, 'addNote')
    await form.getByRole('button', { name: 'Edit as a form' }).click()
    await form.getByLabel('session').fill('secret')
    await form.getByLabel('Date').fill('today')
    await send(t, form)
    await form.getByText('Enter a topic.').waitFor()
    t.equal(await statusOf(form), '')
    await form.getByRole('button', { name: 'Leave it empty' }).click()
    t.ok(await form.getByLabel('topic').evaluate((element) => element === globalThis.document.activeElement))
    await form.getByLabel('size').fill('3')
    await send(t, form)
    await form.getByText('Too large', { exact: true }).first().waitFor()
    t.equal(await form.getByLabel('size').getAttribute('aria-invalid'), 'true')
    t.equal(await form.getByLabel('topic').getAttribute('aria-invalid'), 'true')
    await form.locator('.sent summary').click()
    await form.getByText('Not sent, as a browser lets no page set them: Date, the cookie session.').waitFor()
    await check(t, page, `${look}-errors`)
    await form.getByLabel('size').fill('')
    await send(t, form, '200')
    t.equal(await form.getByLabel('size').getAttribute('aria-invalid'), 'false')
    t.match(await form.getByLabel('Response body').textContent(), '"topic": ""')
  })
}

t.test('a link to a try has the operation and its values; opened, it fills the form and sends nothing', async (t) => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] }
  const { origin } = await serveAll(t)
  const page = await show(t, `${origin}/docs`, options)
  const form = await tryIt(page, 'addNote')
  await form.getByRole('button', { name: 'Edit as a form' }).click()
  await form.getByLabel('topic').fill('a&b=c')
  await form.getByLabel('text').fill('é "1"')
  await form.getByLabel('size').fill('9007199254740993')
  await form.getByRole('button', { name: 'Copy link' }).click()
  await form.getByText('Copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  t.match(link, `${origin}/docs#try/addNote?`)
  const other = await show(t, link, options)
  other.on('request', (request) => request.method() === 'POST' && t.fail('nothing is sent'))
  const filled = other.getByRole('form', { name: 'Try addNote' })
  await settles(t, () => filled.getByLabel('topic').inputValue(), 'a&b=c')
  t.strictSame(JSON.parse(await filled.getByLabel('Body').inputValue()).text, 'é "1"')
  t.match(await filled.getByLabel('Body').inputValue(), '"size": 9007199254740993')
  await other.goto(`${origin}/docs#try/addNote?query.topic=%22`)
  await settles(t, () => filled.getByLabel('topic').inputValue(), '')
})
