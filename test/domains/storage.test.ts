// The contract of all domain storages: in files and in PostgreSQL.
import t, { type Test } from 'tap'
import { fileStorage } from '../../packages/custom-domains/src/files/storage.ts'
import { type OpenStorage, testStorage } from '../../packages/custom-domains/src/testing/storage-contract.ts'
import { migratedDatabase } from '../postgres/orders.ts'
import { instanceOn } from './postgres/database.ts'

const places: Record<string, (t: Test) => Promise<OpenStorage>> = {
  async files(t) {
    const folder = t.testdir()
    return () => fileStorage(folder)
  },
  async PostgreSQL(t) {
    const { url } = await migratedDatabase(t)
    return () => instanceOn(t, url)
  },
}

for (const [name, placeOf] of Object.entries(places)) {
  t.test(name, async (t) => {
    const tests: [name: string, run: () => Promise<void>][] = []
    let place: Test = t
    testStorage(
      (name, run) => tests.push([name, run]),
      () => placeOf(place),
    )
    for (const [name, run] of tests)
      await t.test(name, async (t) => {
        place = t
        await t.resolves(run())
      })
  })
}
