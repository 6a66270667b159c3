/**
 * A pattern of a schema (ECMA-262). JSON Schema recommends the flag `u`, which rejects escapes that it does not know: they
 * are read without it.
 */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'u')
  } catch {
    return new RegExp(text)
  }
}

export function isPattern(text: string): boolean {
  try {
    return Boolean(patternOf(text))
  } catch {
    return false
  }
}
