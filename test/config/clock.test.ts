import t from 'tap'
import { clockWarnings } from '../../config/clock.ts'

t.test('a clock before the build of the program is wrong', async (t) => {
  t.strictSame(clockWarnings(), [])
  t.strictSame(clockWarnings(5_000), [
    'the clock of this machine is wrong: at 1970-01-01T00:00:05Z, this program was not built yet',
  ])
  t.strictSame(clockWarnings(5_000, Number.NaN), [], 'where nothing was built')
  const day = 86_400_000
  t.strictSame(clockWarnings(day, 2 * day), [], 'the clock of the build may have been a day ahead')
  t.equal(clockWarnings(day - 1, 2 * day).length, 1)
})
