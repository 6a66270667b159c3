// Where a request has the credential of a security scheme.
import type { FastifyRequest } from 'fastify'
import type { SecurityScheme } from '../model/index.ts'
import { cookiesIn, decodedIfPossible, queryIn, spaced } from './request/texts.ts'

/** @returns undefined if the request has none; all have one of `mutualTLS`, which is the connection's: an empty text */
export function credentialReader(scheme: SecurityScheme): (request: FastifyRequest) => string | undefined {
  if (scheme.type === 'apiKey') return keyReader(scheme.in, scheme.name)
  if ((scheme.type as string) === 'mutualTLS') return () => ''
  const name = authenticationOf(scheme).toLowerCase()
  return ({ headers: { authorization = '' } }) => {
    const [, given, text] = /^(\S+) +(\S.*)$/.exec(authorization) ?? []
    if (given?.toLowerCase() !== name) return undefined
    return name === 'basic' ? Buffer.from(String(text), 'base64').toString() : text
  }
}

function keyReader(place: string, name: string): (request: FastifyRequest) => string | undefined {
  if (place === 'header') return ({ headers }) => first(headers[name.toLowerCase()])
  if (place === 'cookie') return (request) => first(cookiesIn(request)[name])
  return (request) => {
    const text = first(queryIn(request)[name])
    return text === undefined ? undefined : decodedIfPossible(spaced(text))
  }
}

const first = (texts: string | string[] | undefined) => (Array.isArray(texts) ? texts[0] : texts)

/** The scheme of HTTP (RFC 9110, section 11.1): the tokens of OAuth 2 and OpenID Connect are bearer tokens. */
export const authenticationOf = (scheme: SecurityScheme) => (scheme.type === 'http' ? scheme.scheme : 'Bearer')
