import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { emptyPage } from '../../../store/json-page.ts'
import { recordsPages } from '../../../store/memory/records-page.ts'
import { withPages } from '../../../store/page-table.ts'

t.test('orders of a file form the pages of their list', async () => {
  const order = fc.record({ id: fc.bigInt({ min: 0n, max: 9_999n }), status: fc.constantFrom('pending', 'cancelled') })
  await fc.assert(
    fc.asyncProperty(fc.array(order, { maxLength: 3_000, size: 'max' }), async (orders) => {
      const pages = recordsPages()
      for (const [position, record] of orders.entries()) pages.add(record, position)
      const listed = orders.flatMap(({ id, status }, position) =>
        status === 'pending' ? [[position, `,{"id":${id}}`] as const] : [],
      )
      const table = await withPages([], [emptyPage.with(new Map(listed))])
      const shapes = (pages: typeof table) =>
        pages.map((page) => [page.first, page.count, page.hash(), String(page.json())])
      assert.deepEqual(shapes(pages.end()), shapes(table))
    }),
    { numRuns: 20 },
  )
})
