// Splits texts that have several values, by the style of the parameter (RFC 6570; OpenAPI 3.0.4, "Style Values").
import type { Parameter } from '../../model/index.ts'

type Split = (text: string) => string[]

const atCommas: Split = (text) => text.split(',')

/** Splits the text of a parameter, which has not been decoded. */
export function splitterOf({ style, explode, name, in: location }: Parameter): Split {
  // `c=blue&c=black` is one cookie.
  if (location === 'cookie' && explode) return (text) => text.split('&').map((part) => withoutPrefix(part, `${name}=`))
  if (style === 'spaceDelimited') return (text) => text.split(/%20|\+| /)
  if (style === 'pipeDelimited') return (text) => text.split(/\||%7c/i)
  if (style === 'label') return (text) => withoutPrefix(text, '.').split(explode ? '.' : ',')
  if (style !== 'matrix') return atCommas
  const prefix = `;${name}=`
  return (text) => {
    if (!explode) return withoutPrefix(text, prefix).split(',')
    const parts = withoutPrefix(text, ';').split(';')
    return parts.map((part) => withoutPrefix(part, `${name}=`))
  }
}

const withoutPrefix = (text: string, prefix: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)
