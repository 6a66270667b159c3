import t from 'tap'
import { compilerErrors } from 'test-kit/compiler-errors'
import { typesOf } from '../../src/types/generate.ts'
import { describe, post, start } from '../fixtures/serve.ts'

const bytes = { type: 'string', format: 'binary' }
const file = { type: 'object', properties: { file: bytes }, required: ['file'] }
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n"a"\r\n--b--\r\n'

t.test('bytes have the type of what a handler gets, in every kind of media', async (t) => {
  const table: [media: string, received: 'string' | 'Uint8Array', schema?: object, payload?: string, given?: string][] =
    [
      ['application/json', 'string'],
      ['application/problem+json', 'string'],
      ['text/json', 'string'],
      ['APPLICATION/JSON; version=1', 'string'],
      ['application/*+json', 'string', bytes, '"a"', 'application/vnd.a+json'],
      ['application/json-seq', 'Uint8Array'],
      ['application/octet-stream', 'Uint8Array'],
      ['image/png', 'Uint8Array'],
      ['image/*', 'Uint8Array', bytes, '"a"', 'image/gif'],
      ['text/plain', 'Uint8Array'],
      ['multipart/form-data', 'Uint8Array', file, part, 'multipart/form-data; boundary=b'],
      ['application/x-www-form-urlencoded', 'string', file, 'file=a'],
    ]
  const operations = table.map(([media, , schema = bytes], index) => {
    const requestBody = { required: true, content: { [media]: { schema } } }
    return [`POST /${index}`, { operationId: `op${index}`, requestBody, responses: { 204: { description: 'Done.' } } }]
  })
  const document = describe({ operations: Object.fromEntries(operations) })

  const received: unknown[] = []
  const handler = async ({ body }: { body: unknown }) => {
    received.push(body)
    return { status: 204 }
  }
  const handlers = Object.fromEntries(table.map((_, index) => [`op${index}`, handler])) as never
  const app = await start(t, document, { handlers })
  for (const [index, [media, , , payload = '"a"', given = media]] of table.entries())
    t.equal((await app.inject({ ...post(payload, given), url: `/${index}` })).statusCode, 204, media)

  for (const [index, [media, kind, schema]] of table.entries()) {
    const value = schema === file ? (received[index] as { file: unknown }).file : received[index]
    t.equal(value instanceof Uint8Array ? 'Uint8Array' : typeof value, kind, media)
  }

  const content = (index: number, media: string) => `operations['op${index}']['requestBody']['content']['${media}']`
  const checks = table.map(([media, kind, schema], index) => {
    const body = `${content(index, media)}${schema === file ? "['file']" : ''}`
    return `export const value${index} = (body: ${body}, other: ${kind}): [${kind}, typeof body] => [body, other]`
  })
  const use = `import type { operations } from './api.d.ts'\n${checks.join('\n')}\n`
  const folder = t.testdir({ 'api.d.ts': await typesOf(document), 'use.ts': use })
  t.equal(compilerErrors(`${folder}/use.ts`), '')
})
