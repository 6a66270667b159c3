import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { END_HEADERS, END_STREAM, fields, frame, framesOf, GOAWAY, HEADERS, literal, preface } from 'test-kit/http2'
import { closed, dial, responsesIn, responsesTo } from 'test-kit/raw'
import { startHttp2 } from '../../../packages/custom-domains/test/fixtures/start-http2.ts'
import { buildDashboard, dashboardAuthorization } from '../../domains/dashboard.ts'
import { authorization, build, readOnlyAuthorization } from '../../fixtures/app.ts'

const key = `Authorization: ${authorization}`
const orders = '/v1/store/orders'
const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`
const last = head('GET /livez', 'Connection: close')

/** Requests that their method, target and fields decide. */
const decided: Record<string, [status: number, line: string, ...headers: string[]]> = {
  'a missing key': [401, `DELETE ${orders}/1007`],
  'a wrong key': [401, `DELETE ${orders}/1007`, 'Authorization: Bearer wrong'],
  'a read-only key': [403, `DELETE ${orders}/1007`, `Authorization: ${readOnlyAuthorization}`],
  'two keys': [400, `DELETE ${orders}/1007`, key, key],
  'an unknown path': [404, 'DELETE /v1/none', key],
  'an undeclared method': [405, `PATCH ${orders}`],
  'an invalid identifier': [400, `DELETE ${orders}/x`, key],
  'an Accept without JSON': [406, `DELETE ${orders}/1007`, key, 'Accept: text/html'],
  'a failed precondition': [412, `DELETE ${orders}/1007`, key, 'If-Match: "a"'],
  'the dashboard without a key': [401, 'POST /dashboard/v1/domains'],
  'an unknown path of the dashboard': [404, 'PUT /dashboard/v1/none', `Authorization: ${dashboardAuthorization}`],
}
const framings = {
  'Content-Length': ['Content-Length: 5', 'hello'],
  'Transfer-Encoding': ['Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n'],
} as const

/** Reads until this many responses have begun. */
async function begun(socket: Awaited<ReturnType<typeof dial>>['socket'], count: number) {
  let text = ''
  while (text.split('HTTP/1.1 ').length <= count) text += (await once(socket, 'data'))[0]
}

/** There is one response to `text`, which closes the connection. */
async function isLast(t: Test, app: FastifyInstance, text: string, status: number, what = text) {
  const responses = await responsesTo(t, app, text)
  t.match(responses, [{ status, headers: { connection: 'close' } }], what)
  t.equal(responses.length, 1)
}

async function isPending(app: FastifyInstance) {
  const list = await app.inject({ url: orders, headers: { authorization } })
  return list.json().some(({ id }: { id: number }) => id === 1007)
}

for (const [name, [framing, body]] of Object.entries(framings)) {
  t.test(`a response comes before a body with ${name}, which is then skipped`, async (t) => {
    const { app } = await buildDashboard(t)
    for (const [what, [status, line, ...headers]] of Object.entries(decided)) {
      const { socket, rest } = await dial(t, app)
      socket.write(head(line, ...headers, framing))
      await begun(socket, 1)
      socket.write(`${body}${last}`)
      const statuses = responsesIn(await rest()).map((response) => response.status)
      t.strictSame(statuses, [status, 200], what)
    }
    t.ok(await isPending(app))
  })
}

t.test('a response comes without a 100, and closes the connection', async (t) => {
  const { app } = await buildDashboard(t)
  for (const [what, [status, line, ...headers]] of Object.entries(decided)) {
    for (const sent of ['', 'hello', `hello${head(`DELETE ${orders}/1007`, key)}`]) {
      const asked = head(line, ...headers, 'Content-Length: 5', 'Expect: 100-continue')
      await isLast(t, app, `${asked}${sent}`, status, `${what}, ${JSON.stringify(sent)}`)
    }
  }
  t.ok(await isPending(app))
})

t.test('a body that is too long by its Content-Length gets 413 without a 100, but only with a key', async (t) => {
  const { app } = await buildDashboard(t)
  const long = ['Content-Length: 9999999', 'Expect: 100-continue']
  for (const [expected, line, ...headers] of [
    [413, `DELETE ${orders}/1007`, key],
    [401, `DELETE ${orders}/1007`],
    [413, 'POST /dashboard/v1/domains', `Authorization: ${dashboardAuthorization}`],
    [401, 'POST /dashboard/v1/domains'],
  ] as const) {
    for (const fields of [long, long.slice(0, 1)])
      await isLast(t, app, head(line, ...headers, ...fields), expected, line)
  }
})

t.test('an expectation without a body gets no 100', async (t) => {
  await isLast(t, await build(t), head(`GET ${orders}`, key, 'Expect: 100-Continue'), 200)
})

t.test('a malformed body closes the connection after the only response', async (t) => {
  const app = await build(t)
  for (const line of [`DELETE ${orders}/1007`, 'GET /docs']) {
    const { socket, rest } = await dial(t, app)
    socket.write(head(line, 'Transfer-Encoding: chunked'))
    await begun(socket, 1)
    socket.write('zz\r\n')
    t.equal(responsesIn(await rest()).length, 1, line)
  }
})

t.test('a body without end behind a response that is not read closes the connection once it is', async (t) => {
  const records = Array.from({ length: 100_000 }, (_, id) => JSON.stringify({ id, petId: id, status: 'pending' }))
  const app = await build(t, { records, checkResponses: false })
  const { socket, rest, arrived } = await dial(t, app)
  socket.pause()
  const text = `${head(`GET ${orders}`, key)}${head(`GET ${orders}`, 'Transfer-Encoding: chunked')}`
  const body = `200000\r\n${'x'.repeat(0x200000)}\r\n`
  socket.write(text + body)
  await arrived(text.length + 1024 * 1024)
  socket.resume()
  const [list, rejected, ...more] = responsesIn(await rest())
  t.equal(JSON.parse(String(list?.body)).length, 100_000)
  t.match(rejected, { status: 401 })
  t.strictSame(more, [])
})

t.test('a client that disappears within a body after its response harms nobody', async (t) => {
  const app = await build(t)
  for (const [framing, body] of Object.values(framings)) {
    const { socket, arrived } = await dial(t, app)
    const server = await arrived(0)
    socket.write(`${head(`DELETE ${orders}/1007`, framing)}${body.slice(0, 2)}`)
    await begun(socket, 1)
    const ended = closed(server)
    socket.resetAndDestroy()
    await ended
  }
  t.ok(await isPending(app))
})

t.test('over HTTP/2, a response comes before the body, and a 100 only when the body is wanted', async (t) => {
  const app = await build(t)
  await app.ready()
  const { session } = await startHttp2(t, app.routing as RequestListener)
  const client = session()
  const ask = (path: string, headers: Record<string, string>) =>
    client.request({ ':method': 'DELETE', ':path': `${orders}/${path}`, ...headers }, { endStream: false })
  for (const [status, path, headers] of [
    [401, '1007', {}],
    [400, 'x', { authorization }],
    [406, '1007', { authorization, accept: 'text/html' }],
    [413, '1007', { authorization, 'content-length': '9999999' }],
  ] as const) {
    for (const expect of [{}, { expect: '100-continue' }]) {
      const stream = ask(path, { ...headers, ...expect }).on('continue', () => t.fail('a 100'))
      const [response] = await once(stream, 'response')
      t.equal(response[':status'], status)
      stream.resume()
      await once(stream, 'close')
    }
  }
  const stream = ask('1007', { authorization, expect: '100-continue' })
  await once(stream, 'continue')
  t.ok(await isPending(app))
  stream.end('body')
  const [response] = await once(stream, 'response')
  t.equal(response[':status'], 204)
})

t.test('over HTTP/2, two Authorization fields are rejected with 400', async (t) => {
  const app = await build(t)
  await app.ready()
  const { dial } = await startHttp2(t, app.routing as RequestListener)
  const socket = dial()
  const twice = Buffer.concat([fields(), ...[1, 2].map(() => literal('authorization', authorization))])
  const request = frame(HEADERS, END_HEADERS | END_STREAM, 1, twice)
  socket.write(Buffer.concat([preface(), request, frame(GOAWAY, 0, 0, Buffer.alloc(8))]))
  const response = (await framesOf(socket)).find(({ type }) => type === HEADERS)
  t.equal(response?.payload[0], 0x8c, ':status 400 in HPACK')
})
