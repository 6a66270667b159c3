// Names of tools: lower case with underscores, unique, and of at most 64 characters, as models take them.
const LENGTH_MAX = 64

/** @param taken names of other tools */
export function toolNames(operationIds: readonly string[], taken: readonly string[]): string[] {
  const all = new Set(taken)
  return operationIds.map((id) => {
    const words = id.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z\d]+/).filter((word) => word !== '')
    const name = words.join('_').toLowerCase() || 'operation'
    let unique = name.slice(0, LENGTH_MAX)
    for (let count = 2; all.has(unique); count++) {
      const suffix = `_${count}`
      unique = `${name.slice(0, LENGTH_MAX - suffix.length)}${suffix}`
    }
    all.add(unique)
    return unique
  })
}
