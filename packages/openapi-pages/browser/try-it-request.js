// What `fetch` takes: a call, with the keys.
import { withKeys } from './credentials.js'
import { isMultipart, textIn } from './request.js'

/** Fetch Standard, "forbidden request-header". */
const forbidden =
  /^(accept-(charset|encoding)|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|(proxy|sec)-.*)$/i

/** What a browser does not send, in a sentence. @returns {string | undefined} */
export function unsendable(/** @type {{ in: string, name: string }} */ { in: place, name }) {
  const what = place === 'cookie' ? 'a cookie' : place === 'header' && forbidden.test(name) && 'this header'
  return what ? `A browser lets no page set ${what}: it is only in the samples.` : undefined
}

/** What no header can carry. @returns {string[]} */
export const unwritable = (/** @type {unknown} */ value) =>
  /[^\t\x20-\x7e\x80-\xff]/.test(String(value ?? '')) ? ['Use Latin characters on one line.'] : []

/** @returns {[url: string, options: RequestInit]} */
export function requestOf(
  { credentials },
  /** @type {{ url: string, method: string, headers: readonly (readonly [string, string])[], body?: string, value: any }} */ call,
  /** @type {(scheme: string) => string} */ keyOf,
  /** @type {boolean} */ hasBody,
  /** @type {AbortSignal} */ signal,
) {
  const { method, value } = call
  const type = call.headers.find(([name]) => name === 'Content-Type')?.[1] ?? ''
  const isParts = isMultipart(type)
  const headers = new Headers(
    call.headers.filter(([name]) => !isParts || name !== 'Content-Type').map(([...pair]) => pair),
  )
  const given = credentials.map((one) => ({ ...one, key: keyOf(one.scheme) }))
  const url = withKeys(call.url, headers, given)
  const body = value instanceof File ? value : isParts ? formData(value) : call.body
  return [url, { method, headers, signal, ...(hasBody && body !== undefined && { body }) }]
}

function formData(/** @type {object} */ value) {
  const data = new FormData()
  for (const [name, given] of Object.entries(value)) {
    for (const one of [given].flat()) data.append(name, one instanceof File ? one : textIn(one))
  }
  return data
}
