import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { emptyPage, type JsonPage, jsonPage } from '../../store/json-page.ts'
import { BLOCK_SIZE } from '../../store/page.ts'

const slot = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.nat(BLOCK_SIZE - 1))
const order = fc.nat(99_999).map((id) => `,{"id":${id}}`)
const json = fc.oneof(fc.constant(''), order)
const changes = fc.array(fc.tuple(slot, json), { maxLength: 100 }).map((entries) => new Map(entries))

t.test('a page that changes equals one of the same orders, whether and whenever it is read', async () => {
  const step = fc.record({ changes, read: fc.subarray(['json', 'hash'] as const) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const orders: string[] = Array(BLOCK_SIZE).fill('')
      const pages = [emptyPage]
      const texts = ['']
      for (const { changes, read } of steps) {
        const page = (pages.at(-1) as JsonPage).with(changes)
        for (const [slot, json] of changes) orders[slot] = json
        for (const part of read) page[part]()
        pages.push(page)
        texts.push(orders.join(''))
        assert.equal(page.count, orders.filter((json) => json !== '').length)
        assert.equal(page.length, texts.at(-1)?.length)
        assert.equal(page.hash(), emptyPage.with(new Map(orders.entries())).hash())
      }
      const written = pages.map((page) => String(page.json()))
      assert.deepEqual(written, texts, 'and earlier pages stay')
    }),
  )
})

t.test('orders are where they were, however far apart', async (t) => {
  for (const distance of [1, 65_535, 65_536, 65_537, 2 ** 40]) {
    const { positions } = jsonPage(',{"id":1},{"id":2}', [7, 7 + distance], [9, 18])
    t.strictSame([positions.at(0), positions.at(1)], [7, 7 + distance])
  }
})
