// Random schedules, each shortened until it fails no more. SCHEDULES=10000 SCHEDULES_SEED=7 runs others.
import process from 'node:process'
import fc from 'fast-check'
import t from 'tap'
import { steps } from './actions.ts'
import { play } from './play.ts'

const { env } = process
const { SCHEDULES = '500', SCHEDULES_SEED = '1' } = env
/** How long a schedule that fails is shortened. */
const SHORTEN_MS = 60_000

t.test('three instances that are killed at any time lose no domain, order or key', async (t) => {
  t.comment(`SCHEDULES=${SCHEDULES} SCHEDULES_SEED=${SCHEDULES_SEED}`)
  let end = Number.POSITIVE_INFINITY
  const property = fc.asyncProperty(steps, async (steps) => {
    if (performance.now() > end) return
    await play(steps).catch((error) => {
      end = Math.min(end, performance.now() + SHORTEN_MS)
      throw error
    })
  })
  const options = { numRuns: Number(SCHEDULES), seed: Number(SCHEDULES_SEED) }
  const { failed, errorInstance } = await fc.check(property, options)
  const [found, ...schedule] = String((errorInstance as Error | null)?.message ?? 'nothing').split('\n')
  for (const line of schedule) t.comment(line)
  t.notOk(failed, `found: ${found}`)
})
