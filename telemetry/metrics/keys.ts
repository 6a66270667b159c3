// Metrics of API keys: how many there are, and the days left of those that expire next.
import type { LiveKeys } from '../../config/keys/key-set.ts'
import { type Metrics, samplesOf } from './series.ts'

const DAY_MS = 86_400_000
/** Keys with a series of their own. */
const SHOWN = 20

export function keyMetrics({ gauge }: Metrics, keys: Omit<LiveKeys, 'find' | 'replace'>): void {
  gauge(
    'store_orders_keys_last_reload_successful',
    'Whether the API keys in use are those of the key file: 1 or 0.',
    () => (keys.isReloadFailing ? 0 : 1),
  )
  gauge('store_orders_keys_last_read_timestamp_seconds', 'When the key file was last read, changed or not.', () =>
    keys.lastReadAt === undefined ? [] : keys.lastReadAt / 1000,
  )
  gauge('store_orders_keys', 'API keys: those that do not expire, those that will, and those that have.', () => {
    const counts = { lasting: 0, expiring: 0, expired: 0 }
    const now = Date.now()
    for (const { endsAt } of keys.current.values())
      counts[endsAt === Number.POSITIVE_INFINITY ? 'lasting' : endsAt > now ? 'expiring' : 'expired']++
    return samplesOf('state', Object.entries(counts))
  })
  gauge(
    'store_orders_key_days_left',
    `Days until an API key expires, by its name: the ${SHOWN} that expire next, and the ${SHOWN} that expired last.`,
    () =>
      samplesOf(
        'key',
        nearestEnds(keys).map(([key, ms]) => [key, ms / DAY_MS] as const),
      ),
  )
}

/** Names and milliseconds left, which are negative once a key has expired. A rotated key has the name of its successor. */
function nearestEnds({ current }: Pick<LiveKeys, 'current'>): [name: string, ms: number][] {
  const now = Date.now()
  const ends = new Map<string, number>()
  for (const { name, endsAt } of current.values())
    if (endsAt > (ends.get(name) ?? Number.NEGATIVE_INFINITY)) ends.set(name, endsAt)
  const names = [...nearest(ends, (end) => end - now - 1), ...nearest(ends, (end) => now - end)]
  return names.map((name) => [name, (ends.get(name) as number) - now])
}

/** Finds the names whose distances are least but not negative, without sorting all of them. */
function nearest(ends: ReadonlyMap<string, number>, distanceOf: (end: number) => number): string[] {
  let found: [name: string, distance: number][] = []
  let limit = Number.POSITIVE_INFINITY
  const cut = () => found.sort(([, a], [, b]) => a - b).slice(0, SHOWN)
  for (const [name, end] of ends) {
    const distance = distanceOf(end)
    if (distance < 0 || distance >= limit) continue
    found.push([name, distance])
    if (found.length < 10 * SHOWN) continue
    found = cut()
    limit = found.at(-1)?.[1] as number
  }
  return cut().map(([name]) => name)
}
