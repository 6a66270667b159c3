// Random requests to an operation, as texts.

import type { Operation, Parameter, Schema } from 'exact-openapi/model'
import { stringify } from 'lossless-json'
import type { Random } from '../../hostile/random.ts'
import { randomValue } from './values.ts'

export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  /** The texts of each parameter, by place and name; undefined if a text was changed. */
  texts: Record<string, string[]> | undefined
}

export const textOf = (value: unknown): string => (typeof value === 'object' ? String(stringify(value)) : String(value))
const encoded = (value: unknown) => encodeURIComponent(textOf(value))

/** Some have a text changed after it was encoded. */
export function requestOf(random: Random, { method, path, parameters, body }: Operation): FuzzRequest {
  const given = parameters
    .filter((one) => random.chance(one.required ? 0.97 : 0.5))
    .map((one): [Parameter, unknown] => [one, randomValue(random, one.schema as Schema)])
  const inPlace = (place: Parameter['in']) => given.filter(([one]) => one.in === place)
  let isChanged = false
  const odd = (text: string) => {
    if (!random.chance(0.04)) return text
    isChanged = true
    return changed(random, text)
  }
  const filled = path.replace(/\{([^}]+)\}/g, (_, name) => {
    const [, value] = inPlace('path').find(([one]) => one.name === name) ?? []
    const text = value === null || value === undefined ? '' : odd([value].flat().map(encoded).join(','))
    isChanged ||= text === ''
    return text || '1'
  })
  const query = inPlace('query').flatMap(([{ name, explode }, value]) => {
    const texts = explode ? [value].flat().map(encoded) : [[value].flat().map(encoded).join(',')]
    return texts.map((text) => `${name}=${odd(text)}`)
  })
  const cookie = inPlace('cookie').map(([{ name }, value]) => `${name}=${odd([value].flat().map(encoded).join(','))}`)
  const headers = inPlace('header').map(([{ name }, value]) => [name, odd([value].flat().map(headerText).join(','))])
  const sent = given.map(([{ in: place, name }, value]) => [`${place} ${name}`, [value].flat().map(textOf)] as const)
  const media = body?.media[0]
  const content = media?.schema && random.chance(0.97) ? randomValue(random, media.schema) : undefined
  return {
    method,
    path: `/v1${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`.replaceAll(' ', '%20').replaceAll('"', '%22'),
    headers: {
      ...Object.fromEntries(headers),
      ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
      ...(media && { 'content-type': media.type }),
    },
    body: content === undefined ? undefined : odd(bodyText(String(media?.type), content)),
    texts: isChanged ? undefined : Object.fromEntries(sent),
  }
}

/** Visible ASCII only. */
const headerText = (value: unknown) => textOf(value).replace(/[^\x20-\x7e]/g, '?')

function bodyText(type: string, value: unknown): string {
  if (type === 'application/json') return String(stringify(value))
  if (type.startsWith('text/') || typeof value !== 'object' || value === null) return textOf(value)
  return Object.entries(value)
    .flatMap(([name, one]) => [one].flat().map((item) => `${name}=${encoded(item)}`))
    .join('&')
}

function changed(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const piece = random.pick(['0', '+', '-', '.', 'e1', '%20', '%2C', ',', '%', ' ', '"', '1', 'x', ''])
  const removed = random.below(2)
  return `${text.slice(0, at)}${piece}${text.slice(at + removed)}`
}
