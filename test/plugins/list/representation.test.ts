import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { bytesOf } from '../../../plugins/list/chunk.ts'
import { representationOf } from '../../../plugins/list/representation.ts'
import { hashOf, type OrderPage } from '../../../store/page.ts'

t.test('a list that shares pages with earlier ones equals one of new pages', async () => {
  const text = fc.constantFrom(',{"id":1}', ',{"id":2},{"id":3}')
  const change = fc.record({ at: fc.nat({ max: 99 }), removed: fc.constantFrom(0, 0, 1, 40), added: fc.array(text) })
  const changes = fc.array(change, { maxLength: 8 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 100, size: 'max' }), changes, (texts, changes) => {
      let pages = texts.map(pageOf)
      let before = check(pages)
      for (const { at, removed, added } of changes) {
        pages = pages.toSpliced(at, removed, ...added.map(pageOf))
        const after = check(pages)
        assert.equal(after.etag === before.etag, after.texts === before.texts)
        before = after
      }
    }),
  )

  function check(pages: readonly OrderPage[]) {
    const texts = pages.map((page) => String(page.json()))
    const { chunks, body: sent, length, etag } = representationOf(pages)
    const body = `[${texts.join('').slice(1)}]`
    assert.deepEqual(
      [chunks.map(bytesOf).join(''), sent, length, etag],
      [body, [body], body.length, representationOf(texts.map(pageOf)).etag],
    )
    return { texts: JSON.stringify(texts), etag }
  }
})

function pageOf(text: string): OrderPage {
  const bytes = Buffer.from(text)
  return { count: text.split('{').length - 1, length: bytes.length, json: () => bytes, hash: () => hashOf(bytes) }
}
