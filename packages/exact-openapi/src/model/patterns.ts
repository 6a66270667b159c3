/** Of a pattern with the flag `u`: what may be escaped, in a class also `-`. */
const escapable = /[\^$\\.*+?()[\]{}|/\da-z]/i
/** Letters that have a meaning after a backslash. Others, such as `\Z` of Perl, mean themselves without the flag. */
const known = /[bBcdDfknpPrsStuvwWx]/

/**
 * A pattern of a schema (ECMA-262), with the flag `u` as JSON Schema recommends. The flag rejects escapes that mean nothing, such
 * as `\@`: only these backslashes are left out. Braces that repeat nothing are read without it.
 * @throws for what is no pattern
 */
export function patternOf(text: string): RegExp {
  const plain = withoutEscapes(text)
  try {
    return new RegExp(plain, 'u')
  } catch (error) {
    if (/\\([pP]\{|u\{)/.test(plain)) throw error // these mean something else without the flag
    return new RegExp(plain)
  }
}

function withoutEscapes(text: string): string {
  let isClass = false
  return text.replace(/\\(.)|\[|\]/gs, (whole, escaped: string | undefined) => {
    if (whole === '[') isClass = true
    if (whole === ']') isClass = false
    if (escaped === undefined) return whole
    if (/[a-z]/i.test(escaped) && !known.test(escaped)) throw new SyntaxError(`${whole} means nothing`)
    return escapable.test(escaped) || (escaped === '-' && isClass) ? whole : escaped
  })
}

export function isPattern(text: string): boolean {
  try {
    return Boolean(patternOf(text))
  } catch {
    return false
  }
}
