import t from 'tap'
import { stemsOf } from '../browser/search-words.js'

t.test('where no spaces part words, one may begin at every character', async (t) => {
  t.ok(['注文の一覧', '一覧'].every((word) => stemsOf('注文の一覧').includes(word)))
  t.strictSame(stemsOf('orderId'), ['orderid', 'order', 'id'])
})
