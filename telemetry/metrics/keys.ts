// Metrics of API keys: how many there are, and the days left of those that expire next.
import { endsByName, type LiveKeys } from '../../config/keys/key-set.ts'
import { type Metrics, samplesOf } from './series.ts'

const DAY_MS = 86_400_000
/** Keys with a series of their own. */
const MAX_SERIES = 20

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
  let current: LiveKeys['current'] | undefined
  let ends: ReturnType<typeof endsOf> = []
  gauge(
    'store_orders_key_days_left',
    `Days until an API key expires, by its name: the ${MAX_SERIES} that expire next, and the ${MAX_SERIES} that expired last.`,
    () => {
      if (keys.current !== current) ends = endsOf(keys.current)
      current = keys.current
      const now = Date.now()
      const next = ends.filter(([, end]) => end <= now).length
      const listed = [...ends.slice(next, next + MAX_SERIES), ...ends.slice(0, next).slice(-MAX_SERIES).reverse()]
      return samplesOf(
        'key',
        listed.map(([name, end]) => [name, (end - now) / DAY_MS] as const),
      )
    },
  )
}

/** When the keys expire, in this order. */
function endsOf(keys: LiveKeys['current']) {
  return [...endsByName(keys)].filter(([, end]) => end < Number.POSITIVE_INFINITY).sort(([, a], [, b]) => a - b)
}
