// Lazy initialization: a value is created on first use.

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The same for each key. There must be few. */
export function onceEach<T, Rest extends unknown[]>(make: (key: string, ...rest: Rest) => T) {
  const made = new Map<string, T>()
  return (key: string, ...rest: Rest): T => {
    if (!made.has(key)) made.set(key, make(key, ...rest))
    return made.get(key) as T
  }
}
