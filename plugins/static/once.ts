// What is made when it is first asked for: starting costs nothing of what only readers need.

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
