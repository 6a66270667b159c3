import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { emptyPage, type JsonPage } from '../../store/json-page.ts'
import { PAGE_SIZE } from '../../store/page.ts'
import { type PageTable, withChanges, withPages } from '../../store/page-table.ts'
import { renewedTable } from '../../store/renewed-table.ts'

type Orders = Map<number, string>

const jsonOf = (id: number) => `,{"id":${id}}`
const blockOf = (position: number) => Math.floor(position / PAGE_SIZE)

/** The changes by their block. */
function blocksOf(changes: Orders) {
  const blocks = new Map<number, Map<number, string>>()
  for (const [position, json] of changes) {
    const block = blocks.get(blockOf(position)) ?? new Map()
    blocks.set(blockOf(position), block.set(position, json))
  }
  return Array.from(blocks, ([block, changes]) => ({ start: block * PAGE_SIZE, changes }))
}

const tableOf = (orders: Orders) =>
  withPages(
    [],
    blocksOf(orders).map(({ changes }) => emptyPage.with(changes)),
  )

/** Ranges of positions, each inserted or removed, dense or sparse. */
const range = fc.record({
  from: fc.oneof(fc.nat(8 * PAGE_SIZE), fc.nat(2 ** 41 - 1)),
  count: fc.oneof(fc.nat(5), fc.nat(3 * PAGE_SIZE)),
  step: fc.oneof(
    fc.constant(1),
    fc.nat(4 * PAGE_SIZE).map((step) => step + 1),
  ),
  isRemoved: fc.boolean(),
})

t.test('a table after changes equals one that is made of the same orders', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(range, { maxLength: 4 }), { maxLength: 6 }), async (steps) => {
      const orders: Orders = new Map()
      let table: PageTable = []
      for (const ranges of steps) {
        const changes: Orders = new Map()
        for (const { from, count, step, isRemoved } of ranges)
          for (let index = 0; index < count; index++) changes.set(from + index * step, isRemoved ? '' : jsonOf(index))
        for (const [position, json] of changes) {
          if (json === '') orders.delete(position)
          else orders.set(position, json)
        }
        const before = table
        table = await withChanges(table, blocksOf(changes))
        const fresh = await tableOf(orders)
        assert.deepEqual(
          table.map(({ first, last, count, length }) => ({ first, last, count, length })),
          fresh.map(({ first, last, count, length }) => ({ first, last, count, length })),
        )
        assert.deepEqual(
          table.map((page) => page.hash()),
          fresh.map((page) => page.hash()),
        )
        const sorted = [...orders].sort(([one], [other]) => one - other)
        assert.equal(table.map((page) => page.json()).join(''), sorted.map(([, json]) => json).join(''))
        assert.ok(table.every(({ count }) => count > 0 && count <= PAGE_SIZE))
        assert.ok(table.length <= 32 + (2 * orders.size) / PAGE_SIZE)
        assert.equal(await withPages(table, await tableOf(orders)), table, 'equal pages stay the same')
        const isSame = (page: JsonPage, at: number) => page === table[at]
        const interrupted = renewedTable(table)
        const blocks = blocksOf(orders).sort((one, other) => one.start - other.start)
        for (const { changes } of blocks.slice(0, blocks.length / 2)) interrupted.add(emptyPage.with(changes))
        const renewed = renewedTable(interrupted.leftover())
        for (const { changes } of blocks) renewed.add(emptyPage.with(changes))
        const again = await renewed.end()
        assert.ok(again.length === table.length && again.every(isSame), 'also while they are read again')
        if (changes.size === 0) assert.equal(table, before)
      }
    }),
    { numRuns: 15 },
  )
})
