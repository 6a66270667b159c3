import t from 'tap'
import { expiredWarnings } from '../../../config/keys/expired.ts'

t.test('a key has expired from the end of its time on', async (t) => {
  const keys = new Map([['digest', { name: 'shop', isReadOnly: false, endsAt: 2_000 }]])
  t.strictSame(expiredWarnings(keys, 1_999), [])
  t.strictSame(expiredWarnings(keys, 2_000), [
    'by the clock of this machine, 1970-01-01T00:00:02Z, every API key has expired; their requests get 401: shop',
  ])
  keys.set('successor', { name: 'shop', isReadOnly: false, endsAt: 2_001 })
  t.strictSame(expiredWarnings(keys, 2_000), [], 'unless a successor is valid')
})
