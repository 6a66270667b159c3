// The schemas and their fields.
import { errors as known } from '../../spec/errors.ts'
import { isError } from './errors.ts'
import { answers, type Check, info, provenBy } from './server.ts'

const bodies = answers
  .filter(({ status }) => status >= 400)
  .map(({ status, body }) => ({ sent: status, ...JSON.parse(body) }))

const records = (title: string) => provenBy('test/store/file/record.test.ts', title)

const isInTable = (cells: string) => info.description.includes(`| ${cells} |`)

export const schemas: Record<string, Check> = {
  'schema-Order: No field is required; an absent field is omitted, never null.': provenBy(
    'test/store/contract.test.ts',
    'behaves like a plain list of orders',
  ),
  'schema-Order-id: Unique order identifier.': provenBy(
    'test/store/memory/load.test.ts',
    'every error has the line on which its order begins',
  ),
  'schema-Order-quantity: −2,147,483,648 to 2,147,483,647': records('quantities are 32-bit integers of any sign'),
  'schema-Order-shipDate: Expected or actual ship date, in UTC.': records(
    'a date-time is converted to UTC, to the millisecond',
  ),
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
