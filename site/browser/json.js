// Colors and indents JSON.

/** Their texts, joined, are the JSON. @returns {[kind: string | undefined, text: string][]} */
export function tokensOf(/** @type {string} */ json) {
  const parts = json.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|-?\b\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b)/)
  return parts.map((part, i) => [i % 2 === 0 ? undefined : kindOf(part), part])
}

function kindOf(/** @type {string} */ token) {
  if (token[0] === '"') return token.endsWith(':') ? 'key' : 'string'
  return /^[tfn]/.test(token) ? 'keyword' : 'number'
}

/** Indents JSON without reading its values: JSON.parse rounds integers beyond 2^53. Other text stays as it is. */
export function formatJson(/** @type {string} */ text) {
  if (!isJson(text)) return text
  let depth = 0
  const newLine = (by = 0) => {
    depth += by
    return `\n${'  '.repeat(depth)}`
  }
  /** @type {Record<string, () => string>} */
  const layout = {
    '{': () => `{${newLine(1)}`,
    '[': () => `[${newLine(1)}`,
    '}': () => `${newLine(-1)}}`,
    ']': () => `${newLine(-1)}]`,
    ',': () => `,${newLine()}`,
    ':': () => ': ',
  }
  return text.replace(tokens, (token) => layout[token]?.() ?? (token[0] === '"' ? token : token.replace(/\s+/g, '')))
}

const tokens = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g

function isJson(/** @type {string} */ text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
