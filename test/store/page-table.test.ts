import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { pageEncoded } from '../../store/channels.ts'
import { emptyPage, type JsonPage } from '../../store/json-page.ts'
import { BLOCK_SIZE } from '../../store/page.ts'
import { type PageTable, renewedTable, withChanges, withPages } from '../../store/page-table.ts'

type Orders = Map<number, string>

const jsonOf = (id: number) => `,{"id":${id}}`
const blockOf = (position: number) => Math.floor(position / BLOCK_SIZE)

/** By their block, in any order. */
function blocksOf(changes: Orders): Orders[] {
  const blocks = new Map<number, Orders>()
  for (const [position, json] of changes) {
    const block = blocks.get(blockOf(position)) ?? new Map()
    blocks.set(blockOf(position), block.set(position, json))
  }
  return [...blocks.values()]
}

const sorted = (orders: Orders): Orders => new Map([...orders].sort(([position], [other]) => position - other))
const pagesOf = (orders: Orders) => blocksOf(sorted(orders)).map((block) => emptyPage.with(block))
const hashesOf = (table: PageTable) => table.map((page) => page.hash())

/** Ranges of positions, each inserted or removed, dense or sparse. */
const range = fc.record({
  from: fc.oneof(fc.nat(8 * BLOCK_SIZE), fc.nat(2 ** 41 - 1)),
  count: fc.oneof(fc.nat(5), fc.nat(3 * BLOCK_SIZE)),
  step: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 * BLOCK_SIZE + 1 })),
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
          for (let index = 0; index < count; index++)
            changes.set(from + index * step, isRemoved ? '' : jsonOf(from + index))
        for (const [position, json] of changes) {
          if (json === '') orders.delete(position)
          else orders.set(position, json)
        }
        const before = table
        table = await withChanges(table, blocksOf(changes))
        const fresh = await withPages([], pagesOf(orders))
        const shapeOf = ({ first, count, length }: JsonPage) => ({ first, count, length })
        assert.deepEqual(table.map(shapeOf), fresh.map(shapeOf))
        assert.deepEqual(hashesOf(table), hashesOf(fresh))
        const listed = [...sorted(orders).values()]
        assert.equal(table.map((page) => page.json()).join(''), listed.join(''))
        const moved = await withPages([], pagesOf(new Map(listed.map((json, position) => [position, json]))))
        assert.deepEqual(hashesOf(moved), hashesOf(table), 'wherever the orders are')
        assert.ok(table.every(({ count }) => count > 0))
        assert.equal(await withPages(table, pagesOf(orders)), table, 'equal pages stay the same')
        const isSame = (page: JsonPage, at: number) => page === table[at]
        const interrupted = renewedTable(table)
        const pages = pagesOf(orders)
        pages.slice(0, pages.length / 2).forEach(interrupted.add)
        const renewed = renewedTable(interrupted.leftover())
        pages.forEach(renewed.add)
        const again = renewed.end()
        assert.ok(again.length === table.length && again.every(isSame), 'also while they are read again')
        if (changes.size === 0) assert.equal(table, before)
      }
    }),
    { numRuns: 15 },
  )
})

t.test('a table after changes of one order in sixteen shares most bytes with the former one', async (t) => {
  const orders: Orders = new Map(Array.from({ length: 40 * BLOCK_SIZE }, (_, position) => [position, jsonOf(position)]))
  const table = await withPages([], pagesOf(orders))
  const changes: Orders = new Map()
  for (const position of orders.keys())
    if (position % 16 === 0) changes.set(position, `,{"id":${position},"quantity":1}`)
  let written = 0
  const count = () => written++
  pageEncoded.subscribe(count)
  const changed = await withChanges(table, blocksOf(changes))
  pageEncoded.unsubscribe(count)
  t.ok(written < table.length / 10, `${written} of ${table.length} pages are written`)
  for (const [position, json] of changes) orders.set(position, json)
  t.equal(changed.map((page) => page.json()).join(''), [...orders.values()].join(''))
})

const patterns: Record<string, (index: number) => bigint> = {
  'one after another': (index) => BigInt(index),
  'powers of two apart': (index) => BigInt(index) << 22n,
  'a time and a counter': (index) => (BigInt(1_790_000_000_000 + 37 * index) << 22n) + BigInt(index % 3),
}
for (const [name, idOf] of Object.entries(patterns)) {
  t.test(`ids that are ${name} spread over pages`, async (t) => {
    const count = 200 * BLOCK_SIZE
    const orders = new Map(Array.from({ length: count }, (_, index) => [index, `,{"id":${idOf(index)}}`]))
    const table = await withPages([], pagesOf(orders))
    const mean = count / table.length
    t.ok(mean > BLOCK_SIZE / 4 && mean < BLOCK_SIZE, `${mean} orders a page`)
    for (const page of table) if (page.count >= 16 * BLOCK_SIZE) t.fail(`${page.count} orders are too many for a page`)
  })
}
