// Which of the examples of a document the pages show and send.
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { requestOf, site } from './fixtures/site.ts'

const item = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } }
const wrong = { price: 'cheap' }

/** The pages of an operation with a body, a parameter and a response. */
async function pagesOf(t: Test, { body = {}, parameter = {}, response = {} }) {
  const post = {
    parameters: [{ in: 'query', name: 'q', ...parameter }],
    requestBody: { required: true, content: { 'application/json': body } },
    responses: { 200: { description: 'It.', content: { 'application/json': response } } },
  }
  const app = await site(t, documentOf({ '/a': { post } }))
  const textAt = async (url: string) =>
    (await app.inject(url)).body.replaceAll('&quot;', '"').replaceAll('&gt;=', '>=').replaceAll('&lt;=', '<=')
  return {
    html: (await textAt('/docs')).replace(/<[^>]*>/g, ''),
    markdown: (await textAt('/docs.md')).replaceAll('`', ''),
    sent: requestOf(post),
  }
}

t.test('of examples that the schema refuses, a request shows one that it accepts; a response shows them', async (t) => {
  const described = { schema: item, example: wrong }
  const { html, markdown, sent } = await pagesOf(t, { body: described, response: described })
  for (const text of [html, markdown]) {
    t.match(text, /cheap/)
    t.notMatch(text, /curl -[^}]*cheap|not accept/s)
  }
  t.strictSame(sent.body, { price: 1 })
})

t.test('beside an example that is accepted, a wrong one is not shown', async (t) => {
  const examples = { bad: { value: wrong }, good: { value: { price: 3 } } }
  const described = { schema: item, examples }
  const { html, sent } = await pagesOf(t, { body: described, response: described })
  t.notMatch(html, 'cheap')
  t.strictSame(sent.body, { price: 3 })
})

t.test('of several examples of a request, all are shown, without what is readOnly', async (t) => {
  const properties = { ...item.properties, id: { type: 'string', readOnly: true } }
  const examples = { one: { value: { price: 3, id: 'ord_1007' } }, two: { value: { price: 4 } } }
  const { html, markdown } = await pagesOf(t, { body: { schema: { ...item, properties }, examples } })
  for (const text of [html, markdown]) {
    t.match(text, '"price": 4')
    t.notOk(text.includes('ord_1007'), 'it is not sent')
  }
})

t.test('a text that is an example in a URL is sent as it is', async (t) => {
  const described = { schema: item, example: { price: 2 } }
  const schema = { type: 'array', items: { type: 'integer' } }
  for (const [given, example] of [
    [schema, 7],
    [schema, ['7', '8']],
    [{ type: 'integer', format: 'uint64' }, '9007199254740993'],
    [{ type: 'string' }, 7],
    [{ allOf: [{ type: 'boolean' }] }, 'true'],
    [{ type: 'object', properties: { a: { type: 'integer' } } }, { a: '1' }],
  ]) {
    const sent = (await pagesOf(t, { body: described, parameter: { schema: given, example } })).sent
    t.strictSame([sent.query, sent.body], [{ q: example }, { price: 2 }])
  }
})

t.test('a wrong example of a parameter or a property is not sent', async (t) => {
  const schema = { type: 'string', pattern: '^[a-c]*$' }
  const body = { schema: { ...item, properties: { price: { type: 'number', example: 'free' } } } }
  const { sent } = await pagesOf(t, { parameter: { schema, example: 'd*e' }, body })
  t.match(sent.query, { q: /^[a-c]$/ })
  t.strictSame(sent.body, { price: 1 })
})

t.test(
  'what is required has a value of its schema, and an optional parameter without an example is not sent',
  async (t) => {
    const schema = { type: 'integer', format: 'int64', example: 'ord_1' }
    const parameters = [
      { in: 'query', name: 'q', required: true, schema },
      { in: 'query', name: 'optional', schema },
      { in: 'query', name: 'bare', schema: { type: 'string' } },
    ]
    t.strictSame(requestOf({ parameters }).query, { q: 1n, optional: 1n })
  },
)

t.test('a parameter that is a media type has the example of that', async (t) => {
  const content = { 'application/json': { schema: { type: 'object' }, examples: { one: { value: { a: [1] } } } } }
  const body = { schema: item, example: { price: 2 } }
  const { html, sent } = await pagesOf(t, { body, parameter: { content } })
  t.strictSame(sent.query, { q: { a: [1] } })
  t.match(html, /q=%7B%22a%22%3A%5B1%5D%7D/)
})
