// The table of errors, and what applies to all requests and responses.
import { readOnlyAuthorization } from '../fixtures/app.ts'
import {
  answers,
  answersFor,
  type Check,
  codesIn,
  info,
  model,
  numbersIn,
  order,
  pet,
  provenBy,
  serve,
} from './server.ts'

/** Codes that no operation of the document sends. */
const elsewhere = ['not_found', ...(model.operations.some(({ body }) => body) ? [] : ['unsupported_media_type'])]

/** Of the table: every response with the code has the status and the headers of the row. */
const row: Check = async (t, statement) => {
  const [code = '', ...names] = codesIn(statement)
  const found = answers.filter(({ body }) => body.includes(`"code":"${code}"`))
  t.equal(found.length > 0, !elsewhere.includes(code), code)
  for (const { status, headers } of found) {
    t.equal(status, numbersIn(statement)[0])
    for (const name of names.filter((name) => ['Allow', 'Retry-After', 'X-Request-Id'].includes(name))) {
      t.ok(name.toLowerCase() in headers, name)
    }
  }
}

/** The description of a response is that of its code in the table, which has one row for all that is malformed. */
const asInTable: Check = async (t, statement) => {
  const [{ body } = { body: '' }] = answersFor(statement)
  const { code, status } = JSON.parse(body)
  if (status === 400) {
    await malformed(t, statement)
    return
  }
  const [, sentence = ''] = /: (.*)\.$/.exec(statement) ?? []
  t.ok(info.description.includes(`| \`${code}\` | ${status} | ${sentence} |`), sentence)
}

export const isError: Check = async (t) => {
  const rejections = answers.filter(({ status }) => status >= 400)
  for (const { body } of rejections) t.strictSame(Object.keys(JSON.parse(body)), ['code', 'message', 'status'])
}

const unmet: Record<string, string>[] = [
  { 'if-match': '"a"' },
  { 'if-unmodified-since': new Date().toUTCString() },
  { 'if-none-match': '*' },
]

const malformed: Check = async (t, statement) => {
  for (const { body } of answersFor(statement)) t.equal(JSON.parse(body).code, 'invalid_request')
}

export const errors: Record<string, Check> = {
  'Every response with status 400 or above': isError,
  '` | 4': row,
  '` | 5': row,
  'A 4xx means that the request has changed nothing.': async (t) => {
    const { ask, listed } = await serve(t)
    const before = await listed()
    const rejected = [
      { authorization: 'Bearer wrong' },
      { authorization: readOnlyAuthorization },
      { accept: 'text/html' },
    ]
    for (const headers of [...rejected, ...unmet]) t.match((await ask('DELETE', order(1007), headers)).status, /^4/)
    for (const id of ['x', '1', '1006']) t.match((await ask('DELETE', order(id))).status, /^4/)
    t.strictSame(await listed(), before)
  },
  '`not_found` |': async (t, statement) => {
    const { ask } = await serve(t)
    const { status, body } = await ask('GET', '/nope')
    t.strictSame([status, body.code], [numbersIn(statement)[0], codesIn(statement)[0]])
  },
  '**Preconditions**': provenBy('test/plugins/preconditions.test.ts', 'the list has no strong ETag for If-Match'),
  'other than `*` is rejected with': provenBy(
    'test/plugins/preconditions.test.ts',
    'a condition that cannot be met gets 412, and nothing changes',
  ),
  'Unknown query parameters and unexpected request bodies': provenBy(
    'test/plugins/protocol/index.test.ts',
    'a body and its content type are ignored',
    'authentication and CORS apply to undecodable URLs',
  ),
  '**HEAD** is supported': provenBy(
    'test/plugins/methods.test.ts',
    'HEAD gets the response of GET without its body',
    'OPTIONS gets 204 with Allow, without a key',
  ),
  'Every response has an `X-Request-Id`': async (t, statement) => {
    for (const { headers } of answers) t.ok(headers['x-request-id'])
    const { ask } = await serve(t)
    const sent = async (id: string) => (await ask('GET', pet(504), { 'x-request-id': id })).headers['x-request-id']
    const [least = 0, most = 0] = numbersIn(statement)
    for (const id of ['x'.repeat(least), 'AZaz09._-'.padEnd(most, 'x')]) t.equal(await sent(id), id)
    for (const id of ['', 'x'.repeat(most + 1), 'a b', 'a,b', 'a"b', 'é']) t.not(await sent(id), id)
  },
  'Responses are not stored by caches': async (t, statement) => {
    const [, value] = codesIn(statement).join().split(': ')
    for (const { operationId, status, headers } of answers) {
      const isStored = operationId === 'listOrders' && status < 400
      if (!isStored) t.equal(headers['cache-control'], value, `${operationId} ${status}`)
    }
  },
  'responses-': asInTable,
  'cancelOrder-409: ': asInTable,
  'getPetById-404: ': asInTable,
  'cancelOrder-404: The order does not exist, or has already been cancelled.': async (t, statement) => {
    const codes = answersFor(statement).map(({ body }) => JSON.parse(body).code)
    t.strictSame(codes, ['order_not_found', 'order_already_cancelled'])
  },
  'the request is otherwise malformed.': malformed,
  'No body.': async (t, statement) => {
    t.strictSame(new Set(answersFor(statement).map(({ body }) => body)), new Set(['']))
  },
  'This is version': async (t, statement) => {
    t.match(statement, info.version)
    t.equal(model.servers[0]?.url, codesIn(statement)[0])
  },
}
