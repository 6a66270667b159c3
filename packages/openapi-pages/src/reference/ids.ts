// Ids of the page's parts, each there once.

/** `64-bit identifiers` as `64-bit-identifiers`. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** What every page has. */
export const pageIds = [
  ...['columns', 'contents', 'content', 'search-list', 'try-it'],
  ...['introduction', 'introduction-heading', 'server'],
  ...['responses', 'headers', 'schemas', 'security', 'webhooks'],
]

/** Makes ids of names. One that was given out before, or that the heading of a part may have, is numbered: `errors-2`. */
export type Ids = (name: string) => string

export function distinctFrom(taken: Iterable<string> = []): Ids {
  const all = new Set(taken)
  const next = new Map<string, number>()
  return (name) => {
    const id = name.replace(/\s+/g, '-')
    let free = id
    for (let number = next.get(id) ?? 2; all.has(free) || free.endsWith('-heading'); number++) {
      free = `${id}-${number}`
      next.set(id, number + 1)
    }
    all.add(free)
    return free
  }
}
