// Operations without a handler of their own.
import { LosslessNumber } from 'lossless-json'
import t from 'tap'
import { mock } from '../../src/examples/index.ts'
import { describe, serve, start } from '../fixtures/serve.ts'

const described = (content: object, more = {}) => ({ description: 'A response.', content, ...more })
const string = { type: 'string' }
const json = (media: object) => ({ 'application/json': media })
const properties = { name: string, secret: { ...string, writeOnly: true } }
const pet = { type: 'object', required: ['name', 'secret'], properties }
const examples = { a: { value: 5 }, b: { value: { name: 'Rex' } } }

t.test('a mock responds with an example of the first successful response', async (t) => {
  const cases: [responses: object | undefined, expected: string][] = [
    [{ 404: described({}), 200: described({ 'text/plain': {}, ...json({ example: { id: 7 } }) }) }, '{"id":7}'],
    [{ 200: described(json({ schema: pet })) }, '{"name":"string"}'],
    [{ 200: described(json({ schema: pet, example: { name: 'Rex', secret: 'x' } })) }, '{"name":"string"}'],
    [{ 200: described(json({ schema: pet, examples })) }, '{"name":"Rex"}'],
    [{ 200: described(json({ schema: { type: 'string', enum: [] }, example: 5 })) }, '5'],
    [{ default: described({ 'text/plain': { schema: string } }) }, 'string'],
    [{ '2XX': described({ '*/*': { schema: pet } }) }, '{"name":"string"}'],
    [{ 200: described({ 'text/event-stream': { schema: { example: { data: 'a' } } } }) }, 'data: a\n\n'],
    [{ 200: described({ 'text/event-stream': { example: 'data: b\n\n' } }) }, 'data: b\n\n'],
    [{ 404: described({}), 302: described({}), default: described({ 'text/plain': { example: 'any' } }) }, 'any'],
    [{ 302: described(json({ example: { message: 'there' } })), 400: described({}) }, '302 there'],
    [{ 405: described({ 'text/plain': { example: 'wrong' } }) }, ''],
    [{ 200: described(json({ example: new LosslessNumber('0.10000000000000000001') })) }, '0.1'],
    [{ 200: described({}) }, ''],
    [undefined, ''],
  ]
  for (const [responses, expected] of cases) {
    const options = { handlers: {}, missing: mock, checkResponses: 'throw' } as const
    const send = await serve(t, { openapi: '3.1.0', operations: { 'GET /a': { responses } }, options })
    t.equal(await send('/a'), expected)
  }
})

t.test('a mock responds with the status that a request prefers, if the document has it', async (t) => {
  const headers = { 'X-Count': { required: true, schema: { type: 'integer' } } }
  const problem = described(json({ example: { message: 'none' } }), { headers })
  const operations = { 'GET /a': { responses: { 200: described({}), 404: problem, '5XX': problem } } }
  const send = await serve(t, { operations, options: { handlers: {}, missing: mock } })
  const ask = (code: string) => send({ url: '/a', headers: { prefer: `respond-async, code=${code}` } })
  t.equal(await ask('404'), '404 none')
  t.equal(await ask('503'), '503 none')
  t.equal(await ask('418'), '')
})

t.test('a mock sends the headers of a response as clients read them, and a media type of a range', async (t) => {
  const object = { type: 'object' }
  const headers = {
    'X-Count': { schema: { type: 'integer', minimum: 7 } },
    'X-Names': { schema: { type: 'array', items: string }, example: ['a', 'b'] },
    'X-Point': { schema: object, example: { x: 1, y: 'a' } },
    'X-Pairs': { schema: object, example: { x: 1, y: 'a' }, explode: true },
    'X-JSON': { content: json({ schema: object, example: { x: 1 } }) },
  }
  const responses = { 200: described({ 'text/*': { schema: string } }, { headers }) }
  const document = describe({ operations: { 'GET /a': { responses } } })
  const app = await start(t, document, { missing: mock })
  const found = { 'x-count': '7', 'x-names': 'a,b', 'x-point': 'x,1,y,a', 'x-pairs': 'x=1,y=a', 'x-json': '{"x":1}' }
  t.match((await app.inject('/a')).headers, { ...found, 'content-type': 'text/plain; charset=utf-8' })
})
