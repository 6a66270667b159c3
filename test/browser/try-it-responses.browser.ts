// Try it with what servers send: streams, other charsets, pictures, names of files, deep JSON, errors of fields.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { parseDocument } from 'exact-openapi'
import Fastify from 'fastify'
import type { BrowserContextOptions } from 'playwright-core'
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
  ${['events', 'latin', 'picture', 'file', 'deep'].map(get).join('\n  ')}
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
const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`

/** `streams` are the responses to /events, which the test writes. */
async function serveAll(t: Test) {
  const app = Fastify({ forceCloseConnections: true })
  const streams: ServerResponse[] = []
  app.get('/v1/events', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.raw.write('data: one\n\n')
    streams.push(reply.raw)
  })
  app.get('/v1/latin', async (_request, reply) =>
    reply.type('text/plain; charset=iso-8859-1').send(Buffer.from('Zoë', 'latin1')),
  )
  app.get('/v1/picture', async (_request, reply) => reply.type('image/png').send(picture))
  const disposition = `attachment; filename="plain.bin"; filename*=UTF-8''na%C3%AFve%20plan.bin`
  app.get('/v1/file', async (_request, reply) =>
    reply.header('content-disposition', disposition).type('application/octet-stream').send('x'),
  )
  app.get('/v1/deep', async (_request, reply) => reply.type('application/json').send(deep))
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

/** A page with the form that sends the operation. */
async function tried(t: Test, operationId: string, options?: BrowserContextOptions) {
  const { origin } = await serveAll(t)
  const page = await show(t, `${origin}/docs`, options)
  return { origin, page, form: await tryIt(page, operationId) }
}

t.test('a stream is shown while it arrives; silence is said, and waited out', async (t) => {
  const { origin, streams } = await serveAll(t)
  const page = await show(t, 'about:blank', {}, [origin])
  await page.clock.install()
  await page.goto(`${origin}/docs`)
  const form = await tryIt(page, 'events')
  await send(t, form)
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
  await send(t, form)
  await settles(t, async () => streams.length, 2)
  await settles(t, async () => ((await form.getByLabel('Response body').count()) > 0 ? shown() : ''), 'data: one\n\n')
  const closing = once(streams[1] as ServerResponse, 'close')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.getByText('Cancelled before its end.').waitFor()
  t.equal(await shown(), 'data: one\n\n')
  await closing
})

t.test('before a response, silence is said too, and the request goes on', async (t) => {
  const { origin } = await serveAll(t)
  const page = await show(t, 'about:blank', {}, [origin])
  await page.clock.install()
  await page.goto(`${origin}/docs`)
  let answer = () => {}
  await page.route('**/v1/latin', (route) => {
    answer = () => void route.continue()
  })
  const form = await tryIt(page, 'latin')
  await send(t, form)
  await form.getByRole('button', { name: 'Cancel' }).waitFor()
  await page.clock.fastForward(31_000)
  await form.getByText('No response for 30 seconds. Wait on, or cancel.').waitFor()
  answer()
  await settles(t, () => statusOf(form), '200')
  t.equal(await form.getByLabel('Response body').innerText(), 'Zoë')
  await page.clock.fastForward(31_000)
  t.equal(await form.getByText('for 30 seconds').count(), 0, 'the wait has ended')
})

t.test('pictures are shown, and a file has the name that the server gives', async (t) => {
  const { page, form } = await tried(t, 'picture')
  await send(t, form)
  const shown = form.getByRole('img', { name: 'The picture of the response' })
  await settles(t, () => shown.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth), 1)
  const other = await tryIt(page, 'file')
  await send(t, other)
  const downloading = page.waitForEvent('download')
  await other.getByRole('link', { name: 'Download' }).click()
  t.equal((await downloading).suggestedFilename(), 'naïve plan.bin')
  const former = await other.getByRole('link', { name: 'Download' }).getAttribute('href')
  await page.evaluate(() => {
    URL.revokeObjectURL = (address) => Object.assign(window, { freed: address })
  })
  await send(t, other)
  await settles(t, () => page.evaluate(() => Reflect.get(window, 'freed')), former, 'the former file is freed')
})

t.test('JSON of many levels is shown as it is, not as megabytes of spaces', async (t) => {
  const { form } = await tried(t, 'deep')
  await send(t, form, '200')
  t.equal((await form.getByLabel('Response body').innerText()).replace(/\s/g, ''), deep)
  t.ok(Number((await form.getByLabel('Response body').textContent())?.length) < 200_000)
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
    t.match(await form.getByLabel('Response body').textContent(), '"topic": ""')
  })
}

t.test('a link to a try has the operation and its values; opened, it fills the form and sends nothing', async (t) => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] }
  const { origin, page, form } = await tried(t, 'addNote', options)
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
