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
  ...['introduction', 'introduction-heading', 'server', 'api-key', 'key-hint'],
  ...['responses', 'headers', 'schemas'],
]

/** Numbers an id that has been given out before, or that the heading of a part may have: `errors-2`. */
export function distinctFrom(taken: Iterable<string> = []): (id: string) => string {
  const all = new Set(taken)
  return (id) => {
    let free = id
    for (let number = 2; all.has(free) || free.endsWith('-heading'); number++) free = `${id}-${number}`
    all.add(free)
    return free
  }
}
