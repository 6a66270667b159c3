// The schemas and their fields.
import { errors as known } from '../../spec/errors.ts'
import { keepsOrder } from './behavior.ts'
import { isError } from './errors.ts'
import { answers, type Check, codesIn, info, list, serve } from './server.ts'

const bodies = answers
  .filter(({ status }) => status >= 400)
  .map(({ status, body }) => ({ sent: status, ...JSON.parse(body) }))

const isInTable = (cells: string) => info.description.includes(`| ${cells} |`)

export const schemas: Record<string, Check> = {
  'schema-Order: No field is required; an absent field is omitted, never null.': keepsOrder,
  'schema-Order-id: Unique order identifier.': async (t) => {
    await t.rejects(serve(t, { records: ['{"id":1}', '{"id":1}'] }))
  },
  'schema-Order-quantity: −2,147,483,648 to 2,147,483,647': async (t) => {
    const recordOf = (quantity: number) => [`{"id":1,"quantity":${quantity}}`]
    for (const quantity of [-(2 ** 31), 2 ** 31 - 1])
      t.match((await (await serve(t, { records: recordOf(quantity) })).ask('GET', list)).body, [{ quantity }])
    for (const quantity of [-(2 ** 31) - 1, 2 ** 31, 0.5]) await t.rejects(serve(t, { records: recordOf(quantity) }))
  },
  'schema-Order-shipDate: Expected or actual ship date, in UTC.': async (t) => {
    const { ask } = await serve(t, { records: ['{"id":1,"shipDate":"2026-12-04T09:00:00+01:00"}'] })
    t.match((await ask('GET', list)).body, [{ shipDate: '2026-12-04T08:00:00.000Z' }])
  },
  'schema-Error: The body of every response with status 400 or above.': isError,
  'schema-Error-status: The HTTP status code.': async (t) => {
    for (const { status, sent } of bodies) t.equal(status, sent)
  },
  'schema-Error-message: Human-readable description.': async (t) => {
    for (const { message } of bodies) t.match(message, /^[A-Z\w].* .*\.$/)
  },
  '…: Machine-readable error code, listed under "Errors".': async (t) => {
    for (const [code, { status }] of Object.entries(known)) t.ok(isInTable(`\`${code}\` | ${status}`), code)
  },
  'schema-ErrorCode: `…`': async (t, statement) => {
    t.ok(String(codesIn(statement)[0]) in known)
  },
}
