// The schemas and their fields.
import { errors as known } from '../../spec/errors.ts'
import { storeOf } from '../fixtures/app.ts'
import { isError } from './errors.ts'
import { answers, type Check, info, list, model, serve } from './server.ts'

const bodies = answers
  .filter(({ status }) => status >= 400)
  .map(({ status, body }) => ({ sent: status, ...JSON.parse(body) }))

const isInTable = (cells: string) => info.description.includes(`| ${cells} |`)

export const schemas: Record<string, Check> = {
  'schema-Order: No field is required; an absent field is omitted, never null.': async (t) => {
    t.equal(model.schemas.get('Order')?.required, undefined)
    const { ask } = await serve(t, { records: ['{"id":1}', '{"id":2,"complete":false}'] })
    t.strictSame((await ask('GET', list)).body, [{ id: 1 }, { id: 2, complete: false }])
  },
  'schema-Order-id: Unique order identifier.': async (t) => {
    await t.rejects(storeOf(t, ['{"id":1}', '{"id":1}']))
  },
  'schema-Order-quantity: −2,147,483,648 to 2,147,483,647': async (t) => {
    const { minimum = 0, maximum = 0 } = model.schemas.get('Order')?.properties?.quantity ?? {}
    const { ask } = await serve(t, { records: [`{"id":1,"quantity":${minimum}}`, `{"id":2,"quantity":${maximum}}`] })
    t.match((await ask('GET', list)).body, [{ quantity: minimum }, { quantity: maximum }])
    for (const beyond of [minimum - 1, maximum + 1]) await t.rejects(storeOf(t, [`{"id":1,"quantity":${beyond}}`]))
  },
  'schema-Order-shipDate: Expected or actual ship date, in UTC.': async (t) => {
    const { ask } = await serve(t, { records: ['{"id":1,"shipDate":"2026-12-04T09:00:00+01:00"}'] })
    t.strictSame((await ask('GET', list)).body, [{ id: 1, shipDate: '2026-12-04T08:00:00.000Z' }])
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
    t.ok(isInTable(statement.replace('schema-ErrorCode: ', '')))
  },
}
