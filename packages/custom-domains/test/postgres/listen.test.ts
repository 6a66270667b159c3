import { EventEmitter } from 'node:events'
import t from 'tap'
import { deferred, until } from 'test-kit/until'
import { permanentReason, runUntilLate } from '../../src/postgres/database.ts'
import { listenForChanges } from '../../src/postgres/listen.ts'
import { fakeClock, MINUTE } from '../fixtures/clock.ts'

/** A connection whose first statement is settled by the test. */
function connection() {
  const listening = deferred<{ rows: unknown[] }>()
  const released: unknown[] = []
  const emitter = Object.assign(new EventEmitter(), {
    query: () => listening.promise,
    release: (isBroken?: boolean) => void released.push(isBroken),
  })
  return { emitter, listening, released }
}

t.test('a connection that fails, in whatever way, is closed once and replaced', async (t) => {
  const connections = [connection(), connection(), connection(), connection()] as const
  let opened = 0
  let changes = 0
  const connect = async () => connections[opened++ as 0].emitter
  const waits: number[] = []
  const after = (ms: number, run: () => void) => {
    waits.push(ms)
    setImmediate(run)
    return () => {}
  }
  const stop = listenForChanges({ connect }, 'any', () => changes++, { after })
  const [rejected, lost, ended, last] = connections
  rejected.listening.resolve(Promise.reject(new Error('a hot standby cannot LISTEN')) as never)
  await until(() => opened === 2)
  lost.listening.resolve({ rows: [] })
  await until(() => changes === 1)
  lost.emitter.emit('error', new Error('terminated'))
  lost.emitter.emit('error', new Error('of its socket'))
  await until(() => opened === 3)
  ended.emitter.emit('end')
  await until(() => opened === 4)
  last.listening.resolve({ rows: [] })
  await until(() => changes === 2)
  last.emitter.emit('notification')
  stop()
  t.strictSame([changes, opened, waits], [3, 4, [2_000, 2_000, 2_000]])
  for (const { released } of connections) t.strictSame(released, [true])
})

t.test('a connection that opens after the end is closed', async (t) => {
  const { emitter, released } = connection()
  const connected = deferred<typeof emitter>()
  listenForChanges({ connect: () => connected.promise }, 'any', () => t.fail('it has ended'), fakeClock())()
  connected.resolve(emitter)
  await until(() => released.length > 0)
  t.strictSame(released, [true])
})

t.test('an error without a message is named by its code', async (t) => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
  const statements: object[] = []
  const run = runUntilLate({
    async query(statement) {
      statements.push(statement)
      throw refused
    },
  })
  await t.rejects(run({ text: 'SELECT' }), { name: 'StorageUnavailableError', message: 'ECONNREFUSED' })
  t.match(statements, [{ query_timeout: 10_000 }])
})

t.test('only what the operator must change is permanent: a login, a privilege, what is missing', async (t) => {
  const codes = ['28P01', '3D000', '42703', '57P03', '53300', '08006', 'ECONNREFUSED', undefined]
  const reasons = codes.map((code) => permanentReason({ code, message: 'no' }))
  t.strictSame(reasons, ['no', 'no', 'no', undefined, undefined, undefined, undefined, undefined])
})

t.test('after the end, no connection replaces one that was lost before', async (t) => {
  const clock = fakeClock()
  let tries = 0
  const connect = () => Promise.reject(new Error(`the server is down: ${++tries}`))
  const stop = listenForChanges({ connect }, 'any', () => t.fail('nothing has changed'), clock)
  await until(() => clock.waiting() === 1)
  stop()
  await clock.pass(MINUTE, async () => {})
  t.equal(tries, 1)
})
