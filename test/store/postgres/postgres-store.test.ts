import t from 'tap'
import { interceptPauses } from 'test-kit/pauses'
import type { CancelOutcome } from '../../../store/order-store.ts'
import { postgresOrderStore, singleFlight } from '../../../store/postgres/postgres-store.ts'
import type { Sessions } from '../../../store/postgres/sessions.ts'

function controlled() {
  const calls: { resolve(value: number): void; reject(error: Error): void }[] = []
  return { calls, get: singleFlight(() => new Promise<number>((resolve, reject) => calls.push({ resolve, reject }))) }
}

t.test('callers during a call share the next one, which starts when it ends', async (t) => {
  const { calls, get } = controlled()
  const first = get()
  const [second, third] = [get(), get()]
  t.equal(calls.length, 1)
  calls[0]?.resolve(1)
  t.equal(await first, 1)
  await new Promise(setImmediate)
  t.equal(calls.length, 2)
  const fourth = get()
  calls[1]?.resolve(2)
  t.strictSame(await Promise.all([second, third]), [2, 2])
  await new Promise(setImmediate)
  calls[2]?.resolve(3)
  t.equal(await fourth, 3)
  const fifth = get()
  calls[3]?.resolve(4)
  t.equal(await fifth, 4, 'it starts immediately if nothing is running')
})

t.test('a failed call fails only those who share it', async (t) => {
  const { calls, get } = controlled()
  const first = get()
  const second = get()
  calls[0]?.reject(new Error('planted'))
  await t.rejects(first, { message: 'planted' })
  await new Promise(setImmediate)
  calls[1]?.resolve(2)
  t.equal(await second, 2)
})

t.test('a locked order is tried again within a quarter of a second, the log pruned each minute', async (t) => {
  const pauses: unknown[] = []
  interceptPauses(t, async (ms) => pauses.push(ms))
  const every = (_run: () => void, ms: number) => ({ unref: () => pauses.push(ms) })
  t.intercept(globalThis, 'setInterval', { value: every as unknown as typeof setInterval })
  const outcomes: (CancelOutcome | null)[] = [...Array(8).fill(null), 'cancelled']
  const createCanceller = () => ({ waiting: () => 0, cancel: async () => outcomes.shift() ?? null })
  const store = postgresOrderStore({} as Sessions, { timeout: 60_000, createCanceller })
  t.equal(await store.cancel(1n), 'cancelled')
  t.strictSame(pauses, [60_000, 5, 10, 20, 40, 80, 160, 250, 250])
})

const closing: Partial<Sessions> = { close: async () => {} }

t.test('an order that stays locked, or of a later status, may be tried again after a second', async (t) => {
  for (const [outcome, message] of [
    [null, 'another transaction holds the order'],
    ['later', 'only a newer server knows later'],
  ] as const) {
    const createCanceller = () => ({ waiting: () => 0, cancel: async () => outcome as CancelOutcome | null })
    const store = postgresOrderStore(closing as Sessions, { timeout: 4, createCanceller })
    await t.rejects(store.cancel(1n), { message, retryAfterSeconds: 1 })
    await store.close()
  }
})

t.test('counting the orders may take a minute', async (t) => {
  const sent: unknown[] = []
  async function query<Row>({ text }: { text: string }): Promise<Row[]> {
    sent.push(text)
    return []
  }
  const background: Sessions['background'] = (task, limit) => {
    sent.push(limit)
    return task({ query }, 'unused')
  }
  const store = postgresOrderStore({ ...closing, background } as Sessions, { timeout: 1_000 })
  await store.countByStatus()
  await store.close()
  t.match(sent, [60_000, /^BEGIN .*statement_timeout = 60000$/, /^SELECT status/, 'COMMIT'])
})
