// The table of errors, and what applies to all requests and responses.
import { type ErrorCode, errors as errorCodes } from '../../spec/errors.ts'
import {
  answers,
  answersFor,
  type Check,
  codesIn,
  info,
  list,
  model,
  numbersIn,
  order,
  pet,
  requestsFor,
  serve,
} from './server.ts'

/** Codes that no operation of the document sends. */
const elsewhere = ['not_found', ...(model.operations.some(({ body }) => body) ? [] : ['unsupported_media_type'])]

/** Of the table: the code has the status, and every response with it the headers, of the row. */
const row: Check = async (t, statement) => {
  const [code = '', ...names] = codesIn(statement)
  const found = answers.filter(({ body }) => body.includes(`"code":"${code}"`))
  t.equal(found.length > 0, !elsewhere.includes(code), code)
  for (const status of [numbersIn(statement)[0], ...found.map(({ status }) => status)])
    t.equal(status, errorCodes[code as ErrorCode]?.status, code)
  for (const name of names.filter((name) => ['Allow', 'Retry-After', 'X-Request-Id'].includes(name))) {
    for (const { headers } of found) t.ok(name.toLowerCase() in headers, name)
  }
}

/** The description of an error response. */
const describes: Check = async (t, statement) => {
  const bodies = answersFor(statement).map(({ body }) => JSON.parse(body))
  t.ok(bodies.length > 0)
  for (const { code, status } of bodies) t.equal(status, errorCodes[code as ErrorCode].status, code)
}

export const isError: Check = async (t) => {
  const rejections = answers.filter(({ status }) => status >= 400)
  for (const { body } of rejections) t.strictSame(Object.keys(JSON.parse(body)), ['code', 'message', 'status'])
}

const malformed: Check = async (t, statement) => {
  for (const { body } of answersFor(statement)) t.equal(JSON.parse(body).code, 'invalid_request')
}

export const errors: Record<string, Check> = {
  'Every response with status 400 or above has the same JSON body, `{code, message, status}`.': isError,
  '`…` | … | …': row,
  'A 4xx means that the request has changed nothing.': async (t) => {
    const { send, listed } = await serve(t)
    const before = await listed()
    for (const request of requestsFor('4')) t.equal(String((await send(request)).statusCode), request.status)
    t.strictSame(await listed(), before)
  },
  '**Preconditions**: orders and pets have no `ETag`, and that of the list is weak.': async (t) => {
    const { ask } = await serve(t)
    for (const response of [await ask('GET', pet(504)), await ask('DELETE', order(1007))])
      t.notOk('etag' in response.headers)
    t.match((await ask('GET', list)).headers.etag, /^W\//)
  },
  'A request with an `If-Match` other than `*` is rejected with 412, and so is a `DELETE` with `If-Unmodified-Since` or with `If-None-Match: *`.':
    async (t) => {
      const { ask } = await serve(t)
      const unmodified = { 'if-unmodified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' }
      const { etag = '' } = (await ask('GET', list)).headers
      for (const headers of [{ 'if-match': String(etag) }, unmodified, { 'if-none-match': '*' }]) {
        t.equal((await ask('DELETE', order(1007), headers)).status, 412)
        if ('if-match' in headers) t.equal((await ask('GET', list, headers)).status, 412)
      }
      t.equal((await ask('GET', list, unmodified)).status, 200)
      t.equal((await ask('DELETE', order(1007), { 'if-match': '*' })).status, 204)
    },
  '**Unknown query parameters and unexpected request bodies are ignored.**': async (t) => {
    const { ask } = await serve(t)
    t.equal((await ask('GET', `${list}?unknown=1`, {}, { a: 1 })).status, 200)
    t.equal((await ask('DELETE', order(1007), {}, { a: 1 })).status, 204)
  },
  '**HEAD** is supported wherever GET is; **OPTIONS** returns 204 with `Allow`.': async (t) => {
    const { ask } = await serve(t)
    for (const path of [list, pet(504), order(1007)]) {
      const options = await ask('OPTIONS', path, { authorization: '' })
      t.equal(options.status, 204)
      const { status, body } = await ask('HEAD', path)
      t.strictSame([status, body], [String(options.headers.allow).includes('GET') ? 200 : 405, ''])
    }
  },
  '**Every response has an `X-Request-Id`**: the one that you sent (1 to 64 characters of `A-Z a-z 0-9 . _ -`), or a new one.':
    async (t, statement) => {
      for (const { headers } of answers) t.ok(headers['x-request-id'])
      const { ask } = await serve(t)
      const sent = async (id: string) => (await ask('GET', pet(504), { 'x-request-id': id })).headers['x-request-id']
      const [least = 0, most = 0] = numbersIn(statement)
      for (const id of ['x'.repeat(least), 'AZaz09._-'.padEnd(most, 'x')]) t.equal(await sent(id), id)
      for (const id of ['', 'x'.repeat(most + 1), 'a b', 'a,b', 'a"b', 'é']) t.not(await sent(id), id)
    },
  '**Responses are not stored by caches** (`Cache-Control: no-store`) unless the operation says otherwise.': async (
    t,
    statement,
  ) => {
    const [, value] = codesIn(statement).join().split(': ')
    for (const { operationId, status, headers } of answers) {
      const isStored = operationId === 'listOrders' && status < 400
      if (!isStored) t.equal(headers['cache-control'], value, `${operationId} ${status}`)
    }
  },
  'responses-…: …': describes,
  'cancelOrder-409: …': describes,
  'getPetById-404: …': describes,
  'responses-400: The request is malformed.': malformed,
  'responses-400: The identifier is not a 64-bit integer in plain decimal digits, or the request is otherwise malformed.':
    malformed,
  'cancelOrder-404: The order does not exist, or has already been cancelled.': async (t, statement) => {
    const codes = answersFor(statement).map(({ body }) => JSON.parse(body).code)
    t.strictSame(codes, ['order_not_found', 'order_already_cancelled'])
  },
  '…: No body.': async (t, statement) => {
    t.strictSame(new Set(answersFor(statement).map(({ body }) => body)), new Set(['']))
  },
  'This is version …; `/v1` is part of the base URL.': async (t, statement) => {
    t.ok(statement.startsWith(`This is version ${info.version};`))
    t.equal(model.servers[0]?.url, codesIn(statement)[0])
  },
}
