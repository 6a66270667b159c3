// Values computed on first use. A failure is never kept: the next call tries again.

/** One value. */
export function lazy<T>(make: () => T): () => T {
  const values = memoize(make, 1)
  return () => values('')
}

/** A value for each key. Beyond `limit`, drops the least recently used. */
export function memoize<T, Rest extends unknown[]>(make: (key: string, ...rest: Rest) => T, limit = 64) {
  const values = new Map<string, { value: T }>()
  return (key: string, ...rest: Rest): T => {
    const known = values.get(key)
    const kept = known ?? { value: make(key, ...rest) }
    values.delete(key)
    values.set(key, kept)
    if (values.size > limit) values.delete(values.keys().next().value as string)
    if (!known && kept.value instanceof Promise) {
      kept.value.catch(() => values.get(key) === kept && values.delete(key))
    }
    return kept.value
  }
}
