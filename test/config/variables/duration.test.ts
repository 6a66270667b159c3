import t from 'tap'
import { parseDuration } from '../../../config/variables/duration.ts'

t.test('a duration is a whole number and a unit', async (t) => {
  const units = {
    '250ms': 250,
    '30s': 30_000,
    '5m': 300_000,
    '12h': 43_200_000,
    '90d': 7_776_000_000,
    '2w': 1_209_600_000,
  }
  for (const [text, ms] of Object.entries({ 0: 0, '0d': 0, ...units })) t.equal(parseDuration(text), ms, text)
  for (const text of ['', '1', 'd', '-1d', '1.5d', '1 d', '1D', '1y', '1234567d', '1d2h']) {
    t.equal(parseDuration(text), undefined, text)
  }
})
