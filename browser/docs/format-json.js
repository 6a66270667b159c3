// Indents JSON without reading its values, so that every digit stays as it came over the wire: JSON.parse would round
// integers beyond 2^53.

/** @returns the text itself if it is not JSON */
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
