import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { dial, exchange, parseAnswer, type RawAnswer } from 'test-kit/raw'
import { type ErrorCode, errors } from '../../../../../spec/errors.ts'
import { authorization, build } from '../../../../fixtures/app.ts'

const generated = /^[A-Za-z0-9_-]{22}-[1-9]\d*$/
const host = 'Host: x\r\n'
const get = 'GET /v1/store/orders HTTP/1.1\r\n'
const cancel = `DELETE /v1/store/orders/1007 HTTP/1.1\r\n${host}Authorization: ${authorization}\r\n`
const oneHost = 'The request must carry exactly one valid Host header.'
const version = 'The version of HTTP must be 1.1 or 1.0.'

const badHosts = ['a b/c@d', 'a/b', 'user@x', 'x:http', '[::1', 'x y', '"x"']
const badTargets = ['/%zz', '*', 'ftp://x/docs', '/%', 'http://x/%ff']
const unknownMethods = ['FOO', 'get', 'GETX', 'M-SEARCHX', '!', 'DESCRIBE', 'FLUSH']
const noTokens = ['F@O', 'GET/', 'GET\t/', '']
const at = (line: string) => `${line} HTTP/1.1\r\n${host}\r\n`

type Refused = [what: string, request: string, code: ErrorCode, message?: string]
const refused: Refused[] = [
  ['no Host', `${get}\r\n`, 'invalid_request', oneHost],
  ['two Hosts', `${get}${host}host: y\r\n\r\n`, 'invalid_request', oneHost],
  ...badHosts.map((name): Refused => [`the Host ${name}`, `${get}Host: ${name}\r\n\r\n`, 'invalid_request', oneHost]),
  ['HTTP/2.0', `GET /v1/store/orders HTTP/2.0\r\n${host}\r\n`, 'invalid_request', version],
  ['HTTP/0.9', `GET /v1/store/orders HTTP/0.9\r\n${host}\r\n`, 'invalid_request', version],
  ['HTTP/1.2', `GET /v1/store/orders HTTP/1.2\r\n${host}\r\n`, 'invalid_request'],
  ['no version', 'GET /v1/store/orders\r\n\r\n', 'invalid_request', version],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'invalid_request'],
  ['1,001 headers', `${get}${host}${'a:b\r\n'.repeat(1_000)}\r\n`, 'headers_too_large'],
  ...badTargets.map((target): Refused => [target, at(`GET ${target}`), 'invalid_request', 'The URL is not valid.']),
  ['a target at no host', `GET http://[::1/ HTTP/1.1\r\n${host}\r\n`, 'invalid_request', oneHost],
  ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 'invalid_request', 'CONNECT is not supported.'],
  ...unknownMethods.map((method): Refused => [`the method ${method}`, at(`${method} /`), 'not_implemented']),
  ['an unknown method after an empty line', `\r\nFOO / HTTP/1.1\r\n${host}\r\n`, 'not_implemented'],
  ...noTokens.map((method): Refused => [`${method}, which is no token`, at(`${method} /`), 'invalid_request']),
  ['another protocol', `GET / FTP/1.1\r\n${host}\r\n`, 'invalid_request'],
  ['no HTTP', '\x00\x01\x02\r\n\r\n', 'invalid_request'],
  ['two framings', `${cancel}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`, 'invalid_request'],
]

t.test('requests that violate HTTP get an Error', async (t) => {
  const app = await build(t)
  for (const [what, request, code, message = errors[code].message] of refused) {
    const response = parseAnswer(await exchange(app, request))
    const { status } = errors[code]
    t.equal(response.status, status, what)
    t.strictSame(JSON.parse(response.body), { code, message, status })
    t.equal(response.headers['content-type'], 'application/json')
    checkStandardHeaders(t, response)
  }
})

t.test('a method is unknown or known right behind a body, too', async (t) => {
  const app = await build(t)
  for (const [line, code] of [
    ['METHODX / HTTP/1.1', 'not_implemented'],
    ['POS / HTTP/1.1', 'not_implemented'],
    ['get / HTTP/1.1', 'not_implemented'],
    ['DESCRIBE / HTTP/1.1', 'not_implemented'],
    [' GET / HTTP/1.1', 'invalid_request'],
    ['GET / HTTPS/1.1', 'invalid_request'],
    ['GET /a b HTTP/1.1', 'invalid_request'],
  ] as const) {
    const post = `POST /v1/store/orders HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\n{a}`
    const answers = await exchange(app, `${post}${line}\r\n${host}Connection: close\r\n\r\n`)
    t.equal(parseAnswer(answers.slice(answers.lastIndexOf('HTTP/1.1 '))).status, errors[code].status, line)
  }
})

t.test('input that the parser rejects gets an Error and a line with its id, and ends the connection', async (t) => {
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger })
  const causes: [cause: string, code: ErrorCode][] = [
    ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'payload_too_large'],
    ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
    ['EPROTO', 'invalid_request'],
  ]
  for (const [cause, code] of causes) {
    const { socket, rest, arrived } = await dial(t, app)
    socket.write('GET')
    const server = await arrived(3)
    const error = Object.assign(new Error(cause), { code: cause, rawPacket: Buffer.from('PATCH /') })
    app.server.emit('clientError', error, server)
    const response = parseAnswer(await rest())
    t.equal(response.status, errors[code].status, cause)
    t.strictSame(JSON.parse(response.body), { code, ...errors[code] })
    t.match(response.headers, {
      ...{ connection: 'close', date: / GMT$/ },
      'content-length': String(Buffer.byteLength(response.body)),
    })
    checkStandardHeaders(t, response)
    const { status, headers } = response
    const sender = { remoteAddress: '127.0.0.1', method: 'PATCH' }
    t.match(lines.at(-1), { ...sender, reqId: headers['x-request-id'], status, code, cause })
  }
})

t.test('an idle connection is closed without a response', async (t) => {
  const app = await build(t)
  const { rest, arrived } = await dial(t, app)
  const server = await arrived(0)
  app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), server)
  t.equal(await rest(), '')
})

t.test('Host is a name or an address, with or without a port', async (t) => {
  const app = await build(t)
  for (const name of ['', 'x', 'x.', 'X.example:80', 'x:', '127.0.0.1:3000', '[::1]', '[::1]:3000', 'a_b', '%41'])
    t.equal(parseAnswer(await exchange(app, `GET /nope HTTP/1.1\r\nHost: ${name}\r\n\r\n`)).status, 404, name)
})

t.test('a key in the last of 1,000 headers is found', async (t) => {
  const app = await build(t)
  const text = `${get}${host}${'a:b\r\n'.repeat(998)}Authorization: ${authorization}\r\n\r\n`
  t.equal(parseAnswer(await exchange(app, text)).status, 200)
})

t.test('authentication and CORS apply to undecodable URLs', async (t) => {
  const app = await build(t, { corsOrigins: ['https://shop.example'] })
  const headers = { origin: 'https://shop.example' }
  for (const path of ['/v1/store/orders/%zz', '/v1/store/orders/%', '/v1/pets/%E0%A4%A', '/v1/pets/1%00%ff?a=%zz']) {
    const method = path.includes('pets') ? 'GET' : 'DELETE'
    const without = await app.inject({ method, url: path, headers })
    t.equal(without.statusCode, 401, path)
    t.equal(without.headers['access-control-allow-origin'], 'https://shop.example')
    const withKey = await app.inject({ method, url: path, headers: { ...headers, authorization } })
    t.equal(withKey.statusCode, 400)
    t.equal(withKey.json().code, 'invalid_request')
    t.equal((await app.inject({ method: 'PUT', url: path })).statusCode, 405)
  }
  t.equal((await app.inject({ url: '/v1/store/orders?%zz', headers: { authorization } })).statusCode, 200)
})

t.test('responses that the document does not declare have the standard headers, too', async (t) => {
  const app = await build(t)
  for (const request of [{ url: '/nope' }, { method: 'OPTIONS', url: '/v1/store/orders' }] as const) {
    const { statusCode, headers, body } = await app.inject(request)
    checkStandardHeaders(t, { status: statusCode, headers: headers as RawAnswer['headers'], body })
  }
})

t.test('a body and its content type are ignored', async (t) => {
  const app = await build(t)
  const bodies = [
    'Content-Type: application/json\r\n\r\n',
    'Content-Type: application/xml\r\nContent-Length: 4\r\n\r\n<a/>',
    'Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{',
    'Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ]
  for (const body of bodies) {
    const response = parseAnswer(await exchange(app, `${cancel.replace('1007', '1')}${body}`))
    t.equal(response.status, 404, body)
    t.equal(JSON.parse(response.body).code, 'order_not_found')
  }
  const list = await exchange(app, `${get}${host}Authorization: ${authorization}\r\nContent-Length: 2\r\n\r\n{}`)
  t.equal(parseAnswer(list).status, 200)
})

t.test('HTTP/1.0 needs no Host', async (t) => {
  const app = await build(t)
  t.equal(parseAnswer(await exchange(app, 'GET /nope HTTP/1.0\r\n\r\n')).status, 404)
})

t.test('a connection is kept for the time that the operator sets', async (t) => {
  const { server } = await build(t, { keepAliveTimeout: 620_000 })
  t.equal(server.keepAliveTimeout, 620_000)
})

function checkStandardHeaders(t: Test, { headers }: RawAnswer) {
  t.match(headers['x-request-id'], generated)
  t.equal(headers['x-content-type-options'], 'nosniff')
  t.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  t.match(headers['cache-control'], /^(no-store|private, no-cache)$/)
}
