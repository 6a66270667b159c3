// Random schedules, each shortened until it fails no more.
import t from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { life, steps } from './actions.ts'
import { play } from './play.ts'

/** How long a schedule that fails is shortened. */
const SHORTEN_MS = 60_000

t.test('three instances that are killed at any time lose no domain, order or key', longTest(), async (t) => {
  let end = Number.POSITIVE_INFINITY
  const property = fc.asyncProperty(life, steps, async (life, steps) => {
    if (performance.now() > end) return
    await play(life, steps).catch((error) => {
      end = Math.min(end, performance.now() + SHORTEN_MS)
      throw error
    })
  })
  const { failed, errorInstance, seed } = await fc.check(property, { numRuns: runsOf(100) })
  const [found, ...schedule] = String((errorInstance as Error | null)?.message ?? 'nothing').split('\n')
  for (const line of failed ? [`SEED=${seed}`, ...schedule] : []) t.comment(line)
  t.notOk(failed, `found: ${found}`)
})
