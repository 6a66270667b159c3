// Compares the headers of a response with those that the document declares for it.
import type { Response } from 'exact-openapi/model'
import { validationErrors } from './declared.ts'

/** Undeclared headers: the value that each may have, and why the document omits it. */
export const generic: Record<string, [value: RegExp, reason: string]> = {
  'cache-control': [/^no-store$/, 'said once, in the description'],
  deprecation: [/^@\d+$/, 'said once, in the description'],
  sunset: [/ GMT$/, 'said once, in the description'],
  'content-type': [/^application\/json$/, 'it is the media type of the content'],
  'content-encoding': [/^gzip$/, 'clients decode by themselves'],
  'content-length': [/^\d+$/, 'framing'],
  date: [/ GMT$/, 'of every HTTP response'],
  connection: [/^(keep-alive|close)$/, 'of the connection'],
  'keep-alive': [/^timeout=72$/, 'of the connection'],
  'x-content-type-options': [/^nosniff$/, 'for browsers that open the response as a page'],
  'content-security-policy': [/^default-src 'none'/, 'for browsers that open the response as a page'],
  vary: [/^Origin$/, 'CORS, set by the operator'],
  'access-control-allow-origin': [/^https:/, 'CORS, set by the operator'],
  'access-control-expose-headers': [/^\*$/, 'CORS, set by the operator'],
}

/** Of every response. */
export const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': /^(no-store|private, no-cache)$/,
}

/** Of every response to a request that reaches a route: a page of an allowed origin can read it. */
export const readable = {
  'access-control-allow-origin': 'https://docs.example.com',
  'access-control-expose-headers': '*',
  vary: /\bOrigin\b/,
}

/** The errors in the headers of a response, one line each. */
export function wrongHeaders(sent: Record<string, string>, response: Response | undefined): string[] {
  const declared = (response?.headers ?? []).map((header) => ({ ...header, name: header.name.toLowerCase() }))
  const wrong = declared.flatMap(({ name, schema, required }) => {
    const value = sent[name]
    if (value === undefined) return required ? [`${name} is missing`] : []
    const error = schema && validationErrors(schema.type === 'integer' ? Number(value) : value, schema)
    return error ? [`${name}: ${value} ${error}`] : []
  })
  const undeclared = Object.entries(sent)
    .filter(([name]) => !declared.some((header) => header.name === name))
    .filter(([name, value]) => !generic[name]?.[0].test(value))
    .map(([name, value]) => `${name} is not declared: ${value}`)
  return [...wrong, ...undeclared]
}
