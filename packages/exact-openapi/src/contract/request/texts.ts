// The texts of a request's parameters, as they were sent: an array is split before its items are decoded (RFC 6570).
import type { FastifyRequest } from 'fastify'
import { MalformedError } from '../json.ts'

/** By name. A name that was sent several times has several texts. */
export type Texts = Record<string, string | string[] | undefined>

/** The parameters of the query. */
export function queryIn({ raw: { url = '' } }: FastifyRequest): Texts {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  return pairsIn(query)
}

/** Of a query or a form. Undecodable names are of no parameter. */
export function pairsIn(text: string): Texts {
  const texts: Texts = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = spaced(at < 0 ? pair : pair.slice(0, at))
    add(texts, decodedIfPossible(name), at < 0 ? '' : pair.slice(at + 1))
  }
  return texts
}

/** In a query and a form, a plus sign is a space. */
export const spaced = (text: string) => (text.includes('+') ? text.replaceAll('+', ' ') : text)

/** The segments of the path, by the parameters that they stand for. */
export function segmentsIn({ raw: { url = '' } }: FastifyRequest, names: ReadonlyMap<number, string>): Texts {
  const segments = url
    .replace(/[?#].*/s, '')
    .split('/')
    .reverse()
  return Object.fromEntries([...names].map(([at, name]) => [name, segments[at]]))
}

/** If several cookies share a name, the first one wins. */
export function cookiesIn({ headers: { cookie = '' } }: FastifyRequest): Texts {
  const cookies: Texts = Object.create(null)
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()]
    if (name !== '' && !(name in cookies)) cookies[name] = /^".*"$/.test(value) ? value.slice(1, -1) : value
  }
  return cookies
}

function add(texts: Texts, name: string, value: string) {
  const known = texts[name]
  if (Array.isArray(known)) known.push(value)
  else texts[name] = known === undefined ? value : [known, value]
}

/** Undecodable text stays as it is. */
export function decodedIfPossible(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @throws MalformedError naming the parameter */
export function decoded(text: string, place: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new MalformedError(`${place} must be percent-encoded UTF-8.`)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws MalformedError unless the bytes are UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new MalformedError('The body is not UTF-8.')
  }
}
