// Bodies that are read while they arrive.
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { converse } from 'test-kit/raw'
import { deferred } from 'test-kit/until'
import type { ExactOptions, UploadPart } from '../../../src/index.ts'
import { describe, start } from '../../fixtures/serve.ts'

type Handler = (input: { body: AsyncIterable<UploadPart> & Readable }) => Promise<unknown>

const multipart = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer', format: 'int64', maximum: 100 },
        tags: { type: 'array', items: { type: 'boolean' } },
        photo: { type: 'string', format: 'binary' },
        about: { type: 'object', properties: { age: { type: 'integer', default: 1 } } },
      },
    },
    encoding: { photo: { contentType: 'image/*' } },
  },
}
const bytes = { 'application/octet-stream': {} }

/** @returns the address of `POST /a`, whose handler's result is its response */
async function serve(t: Test, content: object, handler: Handler, options: Partial<ExactOptions<unknown>> = {}) {
  const responses = { 200: { description: 'Done.', content: { 'application/json': {} } } }
  const upload = { operationId: 'upload', requestBody: { content }, responses }
  const document = describe({ openapi: '3.1.0', operations: { 'POST /a': upload } })
  const handlers = { upload: async (input: never) => ({ status: 200, body: await handler(input) }) }
  const given = { handlers, streams: ['upload'], ...options }
  const app = await start(t, document, given, { forceCloseConnections: true }) // a client may still send what nobody reads
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/a`
}

async function sizeOf(stream: Readable): Promise<number> {
  let size = 0
  for await (const chunk of stream) size += chunk.length
  return size
}

/** What the parts have: of a file its name, type and size. */
async function read({ body }: { body: AsyncIterable<UploadPart> }) {
  const all: unknown[] = []
  for await (const part of body)
    all.push('body' in part ? [part.name, part.filename, part.type, await sizeOf(part.body)] : [part.name, part.value])
  return all.map((one) => String(one))
}

async function send(url: string, body: FormData | Blob | ReadableStream | string, headers = {}) {
  const response = await fetch(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  const text = await response.text()
  return response.status === 200 ? text : `${response.status} ${JSON.parse(text).message}`
}

function formOf(...fields: [name: string, value: string | Blob][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

const photo = (size: number) => new File(['x'.repeat(size)], 'a.png', { type: 'image/png' })

t.test('parts are read one after the other, in the types of their properties', async (t) => {
  const url = await serve(t, multipart, read)
  const about = (text: string) => new Blob([text], { type: 'application/json' })
  t.equal(await send(url, formOf(['id', '7'], ['about', about('{}')])), '["id,7","about,[object Object]"]')
  t.match(await send(url, formOf(['about', about('{"age":"old"}')])), /^400 body about\/age must be an integer/)
  t.match(await send(url, formOf(['about', about(' '.repeat(2 ** 16 + 1))])), /^400 body about is longer than 65536/)
  const longest = await send(url, formOf(['id', '7'], ['other', 'x'.repeat(2 ** 16)]))
  t.match(longest, /^\["id,7","other,x+"\]$/)
  t.equal(await send(url, formOf(['id', '7'], ['photo', 'bytes'])), '["id,7","photo,bytes"]', 'a file without a name')
  t.equal(await send(url, formOf(['id', '7'], ['other', '\ufffd'])), '["id,7","other,\ufffd"]')
  const nameless = ['id"\r\n\r\n7', 'other"\r\ncontent-type: application/octet-stream\r\n\r\nbytes'].map(
    (part) => `--b\r\ncontent-disposition: form-data; name="${part}\r\n`,
  )
  const multipartType = { 'content-type': 'multipart/form-data; boundary=b' }
  const sent = await send(url, `${nameless.join('')}--b--\r\n`, multipartType)
  t.equal(sent, '["id,7","other,,application/octet-stream,5"]')
  const form = formOf(['id', '7'], ['photo', photo(500_000)], ['tags', 'true'], ['tags', 'false'], ['other', 'text'])
  t.equal(await send(url, form), '["id,7","photo,a.png,image/png,500000","tags,true","tags,false","other,text"]')
})

t.test('a file without a name is bytes, wherever the schema says so', async (t) => {
  const file = { type: 'string', format: 'binary' }
  const media = { allOf: [{ type: 'string', contentMediaType: 'image/png' }] }
  const parts = { oneOf: [{ properties: { one: file } }], anyOf: [{ properties: { any: media } }] }
  const others = { patternProperties: { '^by': file }, additionalProperties: file }
  const content = { 'multipart/form-data': { schema: { type: 'object', ...others, ...parts } } }
  const handler = async ({ body }: { body: Record<string, unknown> }) =>
    Object.entries(body).map(([name, value]) => `${name} ${value instanceof Uint8Array}`)
  const url = await serve(t, content, handler as never, { streams: [] })
  const body = formOf(['one', 'a'], ['any', 'b'], ['by', 'c'], ['other', 'd'])
  t.equal(await send(url, body), '["one true","any true","by true","other true"]')
})

t.test('what is wrong with a part is known when it is read', async (t) => {
  const seen: string[] = []
  const url = await serve(t, multipart, async ({ body }) => {
    for await (const { name } of body) seen.push(name)
    seen.push('end')
  })
  const raw = (...parts: (string | Uint8Array<ArrayBuffer>)[]) =>
    new Blob(parts, { type: 'multipart/form-data; boundary=b' })
  const part = (head: string, text = '') => `--b\r\ncontent-disposition: form-data${head}\r\n\r\n${text}`
  const cases: [body: FormData | Blob | ReadableStream | string, expected: RegExp, names?: string[]][] = [
    [formOf(['photo', photo(1)], ['id', 'x']), /^400 body id must be a 64-bit integer/, ['photo']],
    [formOf(['photo', new Blob(['a'], { type: 'text/plain' })]), /^400 body photo must be image/, []],
    [formOf(['id', '101']), /^400 body id must be <= 100/, []],
    [formOf(['tags', 'true'], ['tags', 'maybe']), /^400 body tags\/0 must be boolean/, ['tags']],
    [formOf(['photo', photo(1)]), /^400 body id is required/, ['photo']],
    [formOf(['id', '1'], ['id', '2']), /^400 body id must be a 64-bit/, ['id', 'id']],
    [formOf(['other', 'x'.repeat(2 ** 16 + 1)]), /^400 body other is longer than 65536 bytes/, []],
    [formOf(...Array(1_001).fill(['other', 'x'])), /^400 The body has more than 1000/],
    [raw(`${part('', 'x')}\r\n--b--`), /^400 A part of the body has no name/, []],
    [raw(part('; name="id"'), new Uint8Array([255]), '\r\n--b--'), /^400 The body is not UTF-8/, []],
    [raw(part('; name="id"', '1')), /^400 The body is not multipart/],
    [raw(part('; name="file"; filename="a"', '1')), /^400 The body is not multipart/],
    [new Blob(['x'], { type: 'multipart/form-data' }), /^400 The body is not multipart/, []],
    [new Blob(['x'], { type: 'text/plain' }), /^415 /, []],
  ]
  for (const [body, expected, names] of cases) {
    seen.length = 0
    t.match(await send(url, body), expected)
    if (names) t.strictSame(seen.slice(0, 2), names, String(expected))
  }
})

t.test('a handler may leave out the rest of a part, and of all parts', async (t) => {
  const url = await serve(
    t,
    multipart,
    async ({ body }) => {
      const names: string[] = []
      for await (const part of body) {
        if ('body' in part && names.length === 0) for await (const _ of part.body) break
        names.push(part.name)
        if (part.name === 'tags') break
      }
      return names
    },
    { bodyLimit: 2 ** 22 },
  )
  const large = ['photo', photo(1_000_000)] as [string, File]
  const form = formOf(large, large, ['tags', 'true'], large)
  t.equal(await send(url, form), '["photo","photo","tags"]')
  t.equal(await send(await serve(t, multipart, async () => 'unread', { bodyLimit: 2 ** 22 }), form), '"unread"')
})

t.test('the connection serves the next request, whatever a handler leaves of a body', async (t) => {
  const first: Handler = async ({ body }) => {
    for await (const _ of body) return 'some'
    return 'none'
  }
  const begun: Handler = async ({ body }) => (await once(body, 'readable')).length
  for (const handler of [first, begun, async () => 'none']) {
    const { port } = new URL(await serve(t, bytes, handler, { bodyLimit: 2 ** 20 }))
    const post = (body: string, more = '') =>
      `POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
    const text = `${post('x'.repeat(1_000_000))}${post('x', 'Connection: close\r\n')}`
    const received = await converse(connect(Number(port), '127.0.0.1'), text)
    t.equal(received.match(/HTTP\/1\.1 200/g)?.length, 2)
  }
})

t.test('bytes are a stream, within the limit', async (t) => {
  const limited = { bodyLimit: 100_000 }
  const url = await serve(t, bytes, ({ body }) => sizeOf(body), limited)
  const headers = { 'content-type': 'application/octet-stream' }
  const chunked = (size: number) => new Blob(['x'.repeat(size)]).stream()
  t.equal(await send(url, 'x'.repeat(100_000), headers), '100000')
  t.equal(await send(url, chunked(100_000), headers), '100000')
  t.match(await send(url, 'x'.repeat(100_001), headers), /^413 /)
  t.match(await send(url, chunked(100_001), headers), /^413 /)
  t.match(await send(await serve(t, multipart, read, limited), formOf(['photo', photo(100_001)])), /^413 /)
  const absent = await serve(t, bytes, async ({ body }) => String(body))
  t.equal(await (await fetch(absent, { method: 'POST' })).text(), '"undefined"')
})

t.test('what arrives waits for the handler, which learns that a client is gone', async (t) => {
  const [reading, failed] = [deferred<void>(), deferred<unknown>()]
  const handler: Handler = async ({ body }) => {
    try {
      for await (const part of body) {
        if (!('body' in part)) continue
        for await (const _ of part.body) await reading.promise
      }
    } catch (error) {
      failed.resolve(error)
    }
  }
  const url = await serve(t, multipart, handler, { bodyLimit: 2 ** 30 })
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } })
  sent.on('error', () => {})
  sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const chunk = Buffer.alloc(2 ** 20)
  let chunks = 0
  while (chunks < 500 && (sent.write(chunk) || (await drained(sent)))) chunks++
  t.ok(chunks < 500, `${chunks} megabytes are under way`)
  sent.destroy()
  reading.resolve()
  t.match(await failed.promise, { code: 'ECONNRESET' })
})

/** Whether what was written is sent soon. */
const drained = (stream: NodeJS.WritableStream) =>
  Promise.race([
    once(stream, 'drain').then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 500, false)),
  ])

t.test('only bytes and multipart/form-data of operations can be streams', async (t) => {
  const odd = (operation: string) => ({
    message: `${operation} cannot have a stream: name an operation with a body, and leave contentOf out`,
  })
  const handler = async () => 'none'
  await t.rejects(serve(t, bytes, handler, { streams: ['other'] }), odd('other'))
  await t.rejects(serve(t, bytes, handler, { contentOf: () => undefined }), odd('upload'))
  const message = 'upload: a body of application/json cannot be a stream'
  await t.rejects(serve(t, { 'application/json': {} }, handler), { message })
})
