// What the pages say of an example that its schema does not accept.
import { modelOf } from 'exact-openapi/model'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { exampleRequest } from '../src/example-request.ts'
import { openapiPages } from '../src/index.ts'

const item = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } }
const wrong = { price: 'cheap' }

/** The pages of an operation with a body, a parameter and a response. */
async function pagesOf(t: Test, { body = {}, parameter = {}, response = {} }) {
  const post = {
    parameters: [{ in: 'query', name: 'q', ...parameter }],
    requestBody: { required: true, content: { 'application/json': body } },
    responses: { 200: { description: 'It.', content: { 'application/json': response } } },
  }
  const document = documentOf({ '/a': { post } })
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(openapiPages, { document })
  const textAt = async (url: string) =>
    (await app.inject(url)).body.replaceAll('&quot;', '"').replaceAll('&gt;=', '>=').replaceAll('&lt;=', '<=')
  const [operation] = modelOf(document).operations
  return {
    html: (await textAt('/docs')).replace(/<[^>]*>/g, ''),
    markdown: (await textAt('/docs.md')).replaceAll('`', ''),
    sent: operation && exampleRequest(operation),
  }
}

t.test('an example that the schema refuses is shown as such, after one that it accepts', async (t) => {
  const described = { schema: item, example: wrong }
  const { html, markdown, sent } = await pagesOf(t, { body: described, response: described })
  const note = 'The schema does not accept this example: price must be a number that a double holds exactly.'
  for (const text of [html, markdown]) {
    t.equal(text.split(note).length, 3, 'in the request and in the response')
    const body = text.slice(text.lastIndexOf('Request body'))
    t.match(body, /"price": 1\b.*cheap.*Response.*"price": 1\b.*cheap/s)
    t.notMatch(text, /curl[^}]*cheap/s)
  }
  t.strictSame(sent?.body, { price: 1 })
})

t.test('an example that is accepted has no note, and neither has a text that is one in a URL', async (t) => {
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
    const { html, sent } = await pagesOf(t, {
      body: described,
      response: described,
      parameter: { schema: given, example },
    })
    t.notMatch(html, 'not accept')
    t.strictSame(sent?.query, { q: example })
    t.strictSame(sent?.body, { price: 2 })
  }
})

t.test('a wrong example of a parameter or a property is named, and not sent', async (t) => {
  const schema = { type: 'string', pattern: '^[a-c]*$' }
  const body = { schema: { ...item, properties: { price: { type: 'number', example: 'free' } } } }
  const { html, markdown, sent } = await pagesOf(t, { parameter: { schema, example: 'd*e' }, body })
  t.match(html, 'The schema does not accept the example d*e: it must match ^[a-c]*$.')
  t.match(markdown, 'The schema does not accept the example d*e: it must match ^\\[a-c\\]\\*$.')
  t.match(html, 'The schema does not accept the example free: it must be a number')
  t.match(sent?.query, { q: /^[a-c]$/ })
  t.strictSame(sent?.body, { price: 1 })
})

t.test('where no example is possible, the page says what the nearest lacks', async (t) => {
  const schema = { ...item, properties: { price: { type: 'integer', minimum: 2, maximum: 1 } } }
  const { html, markdown } = await pagesOf(t, { body: { schema }, response: { schema } })
  for (const text of [html, markdown]) {
    t.equal(text.split(/No example was found that the schema accepts\. In this one, price must be ..?= \d\./).length, 3)
  }
})
