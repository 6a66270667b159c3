// The table of errors, and what applies to all requests and responses.
import { type ErrorCode, errors as errorCodes } from '../../spec/errors.ts'
import { answers, answersFor, type Check, codesIn, info, model, numbersIn, pet, provenBy, serve } from './server.ts'

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

/** A row that describes its code as a response of the document does, or the usual message. */
const describedRow: Check = async (t, statement) => {
  await row(t, statement)
  const [code = ''] = codesIn(statement)
  const declared = [...model.responses.values(), ...model.operations.flatMap(({ responses }) => responses)]
  const descriptions = declared.map(({ description }) => description)
  const { message } = errorCodes[code as ErrorCode]
  t.ok([...descriptions, message].includes(`${statement.split(' | ')[2]}.`), statement)
}

/** The description of a response is that of its code in the table. */
const asInTable: Check = async (t, statement) => {
  const [{ body } = { body: '' }] = answersFor(statement)
  const { code, status } = JSON.parse(body)
  const [, sentence = ''] = /: (.*)\.$/.exec(statement) ?? []
  t.ok(info.description.includes(`| \`${code}\` | ${status} | ${sentence} |`), sentence)
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
  '`…` | … | …': describedRow,
  '`invalid_request` | 400 | An invalid identifier or URL, or broken HTTP': row,
  '`order_already_cancelled` | 404 | The order has already been cancelled, perhaps by an earlier attempt of yours': row,
  'A 4xx means that the request has changed nothing.': provenBy(
    'test/packages/http-edge/fastify/preconditions.test.ts',
    'an Accept that excludes JSON gets 406, and nothing changes',
    'a condition that cannot be met gets 412, and nothing changes',
  ),
  '`not_found` | 404 | Nothing is served at this path': async (t, statement) => {
    const { ask } = await serve(t)
    const { status, body } = await ask('GET', '/nope')
    t.strictSame([status, body.code], [numbersIn(statement)[0], codesIn(statement)[0]])
  },
  '**Preconditions**: orders and pets have no `ETag`, and that of the list is weak.': provenBy(
    'test/packages/http-edge/fastify/preconditions.test.ts',
    'the list has no strong ETag for If-Match',
  ),
  'A request with an `If-Match` other than `*` is rejected with 412, and so is a `DELETE` with `If-Unmodified-Since` or with `If-None-Match: *`.':
    provenBy(
      'test/packages/http-edge/fastify/preconditions.test.ts',
      'a condition that cannot be met gets 412, and nothing changes',
    ),
  '**Unknown query parameters and unexpected request bodies are ignored.**': provenBy(
    'test/packages/http-edge/fastify/protocol/index.test.ts',
    'a body and its content type are ignored',
    'authentication and CORS apply to undecodable URLs',
  ),
  '**HEAD** is supported wherever GET is; **OPTIONS** returns 204 with `Allow`.': provenBy(
    'test/packages/http-edge/fastify/methods.test.ts',
    'HEAD gets the response of GET without its body',
    'OPTIONS gets 204 with Allow, without a key',
  ),
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
  'responses-…: …': asInTable,
  'cancelOrder-409: …': asInTable,
  'getPetById-404: …': asInTable,
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
