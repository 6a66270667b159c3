import t from 'tap'
import { fc } from 'test-kit/properties'
import { emptyPage } from '../../../store/json-page.ts'
import { textPage } from '../../../store/postgres/page.ts'
import { emptyTable, withPages } from '../../../store/postgres/page-table.ts'

const pageOf = (page: number) => textPage({ page, json: `{"id":${page}}`, slots: Buffer.from([0, 0]) })
const nothingAt = (number: number) => [number, emptyPage] as const

t.test('pages are listed by number, in whichever order they were read', async (t) => {
  const numbers = fc.uniqueArray(fc.nat(20))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ read: numbers, emptied: numbers })), async (updates) => {
      const expected = new Set<number>()
      let table = emptyTable
      for (const { read, emptied } of updates) {
        for (const number of read) expected.add(number)
        for (const number of emptied) expected.delete(number)
        const pages = [...read.map((number) => [number, pageOf(number)] as const), ...emptied.map(nothingAt)]
        table = await withPages(table, new Map(pages))
      }
      const sorted = [...expected].sort((one, other) => one - other)
      t.strictSame([...table.indexes.keys()], sorted)
      t.strictSame(
        table.listed.map((page) => String(page.json())),
        sorted.map((number) => `,{"id":${number}}`),
      )
    }),
  )
})
