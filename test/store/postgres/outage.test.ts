import pg from 'pg'
import t from 'tap'
import { PermanentError } from '../../../store/postgres/faults.ts'
import { reportOutages } from '../../../store/postgres/outage.ts'
import { withDeadline } from '../../../store/postgres/sessions.ts'
import { StoreUnavailableError } from '../../../store/unavailable.ts'

const unavailable = (cause?: Error) => new StoreUnavailableError('PostgreSQL is unreachable', 2, { cause })
const line = (reason: string) => `warn PostgreSQL is unreachable: ${reason}; responding with 503 until it recovers`

t.test('an outage and its end are reported once, with the cause', async (t) => {
  const lines: string[] = []
  const watch = reportOutages((level, message) => lines.push(`${level} ${message}`))
  const fails = (error: Error) => t.rejects(watch(Promise.reject(error)), error)
  await fails(unavailable(new Error('connect ECONNREFUSED')))
  await fails(unavailable())
  t.strictSame(lines.splice(0), [line('connect ECONNREFUSED')])
  await fails(unavailable(new PermanentError('a:1 is a hot standby')))
  await fails(unavailable(new PermanentError('a:1 is a hot standby')))
  t.strictSame(lines.splice(0), [line('a:1 is a hot standby')])
  await fails(new Error('of another kind'))
  const raised = Object.assign(new pg.DatabaseError('order 7 is special', 0, 'error'), { code: 'P0001' })
  await fails(unavailable(raised))
  t.strictSame(lines.splice(0), ['warn PostgreSQL rejected a statement: order 7 is special; responded with 503'])
  t.equal(await watch(Promise.resolve(1)), 1)
  t.equal(await watch(Promise.resolve(2)), 2)
  t.strictSame(lines.splice(0), ['info PostgreSQL has recovered'])
  await fails(unavailable())
  t.strictSame(lines, [line('no response in time')])
})

t.test('a promise pending at its deadline is rejected', async (t) => {
  const late = { message: 'no response before the deadline', retryAfterSeconds: 2 }
  await t.rejects(withDeadline(performance.now(), new Promise(() => {})), late)
  t.equal(await withDeadline(performance.now() + 20_000, Promise.resolve(1)), 1)
})
