import t from 'tap'
import { type Client, createClient, UnexpectedResponseError } from '../index.ts'
import { type Answer, answering, failureOf, json } from './answering.ts'

const calls = {
  listOrders: (client: Client) => client.listOrders(),
  cancelOrder: (client: Client) => client.cancelOrder(1007n),
  getPetById: (client: Client) => client.getPetById(504n),
}
const error = JSON.stringify({ code: 'internal_error', message: 'Not now.', status: 500 })
const html = { 'content-type': 'text/html' }

/** Not a response to any call; properties.test.ts has what generated bodies reach. */
const wrongAnywhere: Record<string, Answer> = {
  'two JSON texts': json(200, '[][]'),
  'endless nesting': json(200, '['.repeat(100_000)),
  'JSON with a similar content type': { status: 200, headers: { 'content-type': 'application/jsonp' }, body: '[]' },
  'an Error with a redirect status': json(300, error.replace('500', '300')),
  'an Error with another content type': { status: 500, headers: html, body: error },
  'an Error without a content type': { status: 500, body: error },
  'an error without a body': { status: 500 },
}

const wrong: Record<keyof typeof calls, Record<string, Answer>> = {
  listOrders: { 'no body': { status: 204 }, 'an id of a million digits': json(200, `[{"id":${'9'.repeat(1e6)}}]`) },
  getPetById: { 'no body': { status: 204 }, 'an inherited id': json(200, '{"__proto__":{"id":504}}') },
  cancelOrder: {},
}

for (const [name, call] of Object.entries(calls)) {
  t.test(`${name} rejects with an UnexpectedResponseError for`, async (t) => {
    for (const [title, answer] of Object.entries({ ...wrongAnywhere, ...wrong[name as keyof typeof calls] })) {
      const { baseUrl, received } = await answering(t, answer)
      const failure = await failureOf(() => call(createClient({ baseUrl, apiKey: 'test-key', retries: 0 })))
      t.ok(failure instanceof UnexpectedResponseError, `${title}: ${failure}`)
      t.match(failure, { status: answer.status }, title)
      t.equal(received.length, 1, title)
    }
  })
}

t.test('an error describes what is wrong with the body, and contains it', async (t) => {
  const noInt64 = (at: number) => new TypeError(`body/${at}/id must be a 64-bit integer, as a bigint.`)
  const bodies: [body: string, cause: object][] = [
    ['[{"id":5},{"id":"6"}]', noInt64(1)],
    [`[${'{"id":5},'.repeat(39_999)}{"id":"6"}]`, noInt64(39_999)],
    ['{}', new TypeError('body must be of type array.')],
    ['[', { name: 'SyntaxError' }],
  ]
  for (const [body, cause] of bodies) {
    const { baseUrl } = await answering(t, json(200, body))
    t.match(await failureOf(() => createClient({ baseUrl, apiKey: 'test-key' }).listOrders()), { body, cause })
  }
  const { baseUrl } = await answering(t, json(200, '<ü>', { 'content-type': 'application/xhtml+xml' }))
  t.match(await failureOf(() => createClient({ baseUrl, apiKey: 'test-key' }).listOrders()), { body: '<ü>' })
})

t.test('a rejected list does not count as the cached one', async (t) => {
  const good = json(200, '[{"id":5}]', { etag: '"1"' })
  const { baseUrl } = await answering(t, good, json(200, '[{"id":"5"}]', { etag: '"2"' }), { status: 304 })
  const client = createClient({ baseUrl, apiKey: 'test-key' })
  const first = await client.listOrders()
  t.ok((await failureOf(() => client.listOrders())) instanceof UnexpectedResponseError)
  t.equal(await client.listOrders(), first)
})
