import pg from 'pg'
import t from 'tap'
import { withDeadline } from '../../../store/postgres/deadline.ts'
import { outageOf, PermanentError } from '../../../store/postgres/faults.ts'
import { reportOutages, reportSlow } from '../../../store/postgres/outage.ts'
import { StoreUnavailableError } from '../../../store/unavailable.ts'

const unavailable = (cause?: Error) => new StoreUnavailableError('PostgreSQL is unreachable', 2, { cause })
const line = (outage: string) => `warn PostgreSQL ${outage}; responding with 503 until it recovers`

t.test('an outage and its end are reported once, with the cause', async (t) => {
  const lines: string[] = []
  const watch = reportOutages((level, message) => lines.push(`${level} ${message}`))
  const fails = (error: Error) => t.rejects(watch(Promise.reject(error)), error)
  await fails(unavailable(new Error('connect ECONNREFUSED')))
  await fails(unavailable())
  t.strictSame(lines.splice(0), [line('is unreachable: connect ECONNREFUSED')])
  await fails(unavailable(new PermanentError('a:1 is a hot standby')))
  await fails(unavailable(new PermanentError('a:1 is a hot standby')))
  t.strictSame(lines.splice(0), [line('is unreachable: a:1 is a hot standby')])
  await fails(new Error('of another kind'))
  const raised = Object.assign(new pg.DatabaseError('order 7 is special', 0, 'error'), { code: 'P0001' })
  await fails(unavailable(raised))
  t.strictSame(lines.splice(0), ['warn PostgreSQL rejected a statement: order 7 is special; responded with 503'])
  t.equal(await watch(Promise.resolve(1)), 1)
  t.equal(await watch(Promise.resolve(2)), 2)
  t.strictSame(lines.splice(0), ['info PostgreSQL has recovered'])
  await fails(new StoreUnavailableError('PostgreSQL does not respond in time', 2))
  t.strictSame(lines, [line('does not respond in time')])
})

t.test('a slow statement is reported, at most one in a minute', async (t) => {
  const lines: string[] = []
  let now = 0
  const log = (level: string, message: string) => lines.push(`${level} ${message}`)
  const count = reportSlow(log, () => now)
  count('cancel', 999)
  count('cancel', 1_000)
  count('list', 2_000)
  now = 60_000
  count('list', 2_000)
  t.strictSame(lines, [
    'warn PostgreSQL is slow: the statement cancel took 1.0 s',
    'warn PostgreSQL is slow: the statement list took 2.0 s',
  ])
})

t.test('an outage is called by what fails: a server that holds a lock can be reached', async (t) => {
  const reported = (code: string) => Object.assign(new pg.DatabaseError('meant', 0, 'error'), { code })
  for (const [error, name] of [
    [reported('55P03'), 'responds with an error'],
    [reported('57014'), 'responds with an error'],
    [reported('53100'), 'responds with an error'],
    [reported('57P03'), 'is unreachable'],
    [reported('08006'), 'is unreachable'],
    [new Error('connect ECONNREFUSED'), 'is unreachable'],
    [new PermanentError('a:1 rejects the password of user "shop"'), 'cannot be used'],
    [new Error('Query read timeout'), 'does not respond in time'],
  ] as const)
    t.equal(outageOf(error), `PostgreSQL ${name}`)
})

t.test('a promise pending at its deadline is rejected', async (t) => {
  const late = { message: 'PostgreSQL does not respond in time', retryAfterSeconds: 2 }
  await t.rejects(withDeadline(performance.now(), new Promise(() => {})), late)
  t.equal(await withDeadline(performance.now() + 20_000, Promise.resolve(1)), 1)
})
