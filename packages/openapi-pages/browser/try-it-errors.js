// The fields that the error of a server names: as problem details, JSON:API, FastAPI, Rails and others write them.

/** @typedef {{ in: string, path: readonly string[], text: string }} Problem `in` is '' if the server does not say where the field is */

/** Names of properties that say where, and what. */
const where = ['pointer', 'instancePath', 'parameter', 'param', 'source', 'loc', 'field', 'property', 'path', 'name']
const what = ['detail', 'msg', 'message', 'reason', 'description', 'issue', 'title', 'error']
const parts = { path: 'path', params: 'path', query: 'query', querystring: 'query', body: 'body' }
/** @type {Record<string, string>} */
const places = { ...parts, header: 'header', headers: 'header', cookie: 'cookie', cookies: 'cookie' }

/** @returns {Problem[]} */
export function problemsIn(/** @type {string} */ text) {
  try {
    return named(JSON.parse(text))
  } catch {
    return []
  }
}

/** @returns {Problem[]} */
function named(/** @type {unknown} */ node) {
  if (Array.isArray(node)) return node.flatMap(named)
  if (typeof node !== 'object' || node === null) return []
  const fields = /** @type {Record<string, unknown>} */ (node)
  const path = where.map((name) => pathIn(fields[name])).find((path) => path.length > 0)
  const text = what.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  if (path && text) return [problemAt(path, String(text))]
  const within = Object.entries(fields).flatMap(([name, child]) => (name === 'errors' ? listed(child) : named(child)))
  return within.length > 0 ? within : sentencesIn(String(text ?? ''))
}

/** `{ name: ['is too short'] }` */
function listed(/** @type {unknown} */ errors) {
  const pairs = Array.isArray(errors) ? [] : Object.entries(Object(errors))
  const all = pairs.flatMap(([name, texts]) =>
    [texts].flat().flatMap((text) => (typeof text === 'string' ? [problemAt(pathIn(name), text)] : [])),
  )
  return all.length > 0 ? all : named(errors)
}

/** `body items/0/quantity must be >= 1`, `querystring/limit must be integer`. */
function sentencesIn(/** @type {string} */ text) {
  const begin = `(?:${Object.keys(places).join('|')})[ /.][^\\s,;]+`
  const sentences = text.matchAll(new RegExp(`\\b(${begin}) (.+?)(?=[,;.]?\\s+${begin} |$)`, 'gs'))
  return Array.from(sentences, ([, path = '', rest = '']) => problemAt(pathIn(path), rest))
}

/** Of `/items/0`, `#/items/0`, `items[0]`, `body.items.0` and a list of these. @returns {string[]} */
function pathIn(/** @type {unknown} */ value) {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'string')
    return value
      .replace(/^#/, '')
      .split(/[/.[\]\s]+/)
      .filter(Boolean)
      .map(unescaped)
  return typeof value === 'object' && value !== null
    ? (Object.values(value)
        .map(pathIn)
        .find((path) => path.length > 0) ?? [])
    : []
}

const unescaped = (/** @type {string} */ segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** @returns {Problem} */
function problemAt(/** @type {readonly string[]} */ path, /** @type {string} */ text) {
  const [first = '', ...others] = path
  const location = Object.hasOwn(places, first) && others.length > 0 ? String(places[first]) : ''
  return { in: location, path: location ? others : path, text }
}

/** `items[0].quantity must be >= 1` @returns {string} */
export function lineOf(/** @type {Problem} */ { path, text }) {
  const written = path.reduce(
    (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name ? `${name}.${part}` : part),
    '',
  )
  return `${written}${/^\p{Lu}/u.test(text) ? ':' : ''} ${text}`
}
