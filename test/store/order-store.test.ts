import t from 'tap'
import { completeStore, type WithAllParameters } from '../../store/order-store.ts'
import { memoryStoreOf } from './list.ts'

t.test('a complete store is used as it is', async (t) => {
  const store = memoryStoreOf([])
  t.equal(completeStore(store), store)
})

// The rest is checked by tsc: an optional criterion that a store leaves out does not compile.
interface Filtering {
  list(status?: string): Promise<string[]>
  close(): Promise<void>
  connections?(): number
}
const complete = { list: async (status?: string) => [String(status)], close: async () => {} }
void (complete satisfies Filtering & WithAllParameters<typeof complete, Filtering>)
const forgetful = { list: async () => [], close: async () => {} }
void (forgetful satisfies Filtering)
// @ts-expect-error
void (forgetful satisfies Filtering & WithAllParameters<typeof forgetful, Filtering>)
