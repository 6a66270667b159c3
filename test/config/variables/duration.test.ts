import t from 'tap'
import { parseDuration } from '../../../config/variables/duration.ts'

t.test('a duration is a whole number and a unit', async (t) => {
  t.equal(parseDuration('0'), 0)
  t.equal(parseDuration('0d'), 0)
  t.equal(parseDuration('250ms'), 250)
  t.equal(parseDuration('30s'), 30_000)
  t.equal(parseDuration('5m'), 300_000)
  t.equal(parseDuration('12h'), 43_200_000)
  t.equal(parseDuration('90d'), 7_776_000_000)
  t.equal(parseDuration('2w'), 1_209_600_000)
  for (const text of ['', '1', 'd', '-1d', '1.5d', '1 d', '1D', '1y', '1234567d', '1d2h']) {
    t.equal(parseDuration(text), undefined, text)
  }
})
