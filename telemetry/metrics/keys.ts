// Metrics of API keys: how many there are, and the days left of those that expire next.
import { type Metrics, samplesOf } from './series.ts'

interface ApiKey {
  name: string
  /** In milliseconds since the epoch; Infinity if it does not expire. */
  endsAt: number
}

/** The API keys in use. */
export interface ApiKeys {
  readonly current: ReadonlyMap<string, ApiKey>
}

export interface LiveKeys extends ApiKeys {
  /** The key file has changed and cannot be used. */
  readonly isReloadFailing: boolean
  /** When the key file was last read, in milliseconds since the epoch; undefined without a file. */
  readonly lastReadAt: number | undefined
}

const DAY_MS = 86_400_000
/** Keys with a series of their own. */
const SHOWN = 20
/** More than are shown, as rotated keys are left out. */
const CANDIDATES = 100

export function keyMetrics({ gauge }: Metrics, keys: LiveKeys): void {
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
function nearestEnds({ current }: ApiKeys): [name: string, ms: number][] {
  const now = Date.now()
  const keys = [...nearest(current.values(), (end) => end - now), ...nearest(current.values(), (end) => now - end)]
  const ends = new Map(keys.map(({ name, endsAt }) => [name, endsAt]))
  for (const { name, endsAt } of current.values()) if (endsAt > (ends.get(name) ?? endsAt)) ends.set(name, endsAt)
  const left = [...ends].map(([name, end]): [string, number] => [name, end - now])
  const expiring = left.filter(([, ms]) => ms > 0 && ms < Number.POSITIVE_INFINITY).sort(([, a], [, b]) => a - b)
  const expired = left.filter(([, ms]) => ms <= 0).sort(([, a], [, b]) => b - a)
  return [...expiring.slice(0, SHOWN), ...expired.slice(0, SHOWN)]
}

/** Finds the keys with the least distances that are not negative, without sorting all keys. */
function nearest(keys: Iterable<ApiKey>, distanceOf: (end: number) => number): ApiKey[] {
  let found: [key: ApiKey, distance: number][] = []
  let limit = Number.POSITIVE_INFINITY
  const cut = () => found.sort(([, a], [, b]) => a - b).slice(0, CANDIDATES)
  for (const key of keys) {
    const distance = distanceOf(key.endsAt)
    if (distance < 0 || distance >= limit) continue
    found.push([key, distance])
    if (found.length < 2 * CANDIDATES) continue
    found = cut()
    limit = found.at(-1)?.[1] as number
  }
  return cut().map(([key]) => key)
}
