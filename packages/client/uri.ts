// Values within URLs and forms.
import { stringify } from 'lossless-json'

/**
 * The path with its parameters, in their order.
 * @throws TypeError for a dot segment or an empty one: it would lead to another path (RFC 3986, section 5.2.4)
 */
export function pathOf(template: string, values: readonly unknown[]): string {
  const left = values.map(joined)
  const segments = template.split('/').map((segment) => {
    const filled = segment.replace(/\{[^}]+\}/g, () => String(left.shift()))
    const [, name] = /\{([^}]+)\}/.exec(segment) ?? []
    if (name === undefined || !/^\.{0,2}$/.test(filled)) return filled
    throw new TypeError(`${name} must not be "${filled}": it would lead to another path.`)
  })
  return segments.join('/')
}

/** An array has a pair for each item, unless its name is one of `joinedNames`. */
export function pairsOf(fields: Record<string, unknown>, joinedNames: readonly string[] = []): string {
  const pairs = Object.entries(definedOf(fields)).flatMap(([name, value]: [string, unknown]) => {
    const texts = joinedNames.includes(name) ? [joined(value)] : [value].flat().map(encoded)
    return texts.map((text) => `${encoded(name)}=${text}`)
  })
  return pairs.join('&')
}

export const definedOf = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, string>

/** An array is joined by commas, which are not encoded (RFC 6570). */
const joined = (value: unknown): string => [value].flat().map(encoded).join(',')

const encoded = (value: unknown): string => encodeURIComponent(written(value))

export const written = (value: unknown): string => String(typeof value === 'object' ? stringify(value) : value)
