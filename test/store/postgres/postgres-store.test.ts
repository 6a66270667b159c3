import t from 'tap'
import { singleFlight } from '../../../store/postgres/postgres-store.ts'

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
