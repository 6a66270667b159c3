// What a browser sends of a call, and what it does not.
import { base64 } from './credentials.js'

/** Fetch Standard, "forbidden request-header". */
const forbidden =
  /^(accept-(charset|encoding)|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|(proxy|sec)-.*)$/i

/** What a browser does not send, in a sentence. @returns {string | undefined} */
export function unsendable(/** @type {{ in: string, name: string }} */ { in: location, name }) {
  const what = location === 'cookie' ? 'a cookie' : location === 'header' && forbidden.test(name) && 'this header'
  return what ? `A browser lets no page set ${what}: it is only in the samples.` : undefined
}

/** What no header can carry. @returns {string[]} */
export const unwritable = (/** @type {unknown} */ value) =>
  /[^\t\x20-\x7e\x80-\xff]/.test(String(value ?? '')) ? ['Use Latin characters on one line.'] : []

/** The call as a browser sends it. @returns {import('./request.js').Call} */
export function sendableOf(/** @type {import('./request.js').Call} */ call) {
  const isBodiless = /^(GET|HEAD)$/.test(call.method)
  const headers = call.headers.filter(([name]) => !forbidden.test(name) && !(isBodiless && name === 'Content-Type'))
  return { ...call, headers, body: isBodiless ? undefined : call.body }
}

/** The headers that it lacks, and each cookie. @returns {string[]} */
export function notSent(/** @type {import('./request.js').Call} */ { headers }) {
  return headers
    .filter(([name]) => forbidden.test(name))
    .flatMap(([name, value]) => {
      const text = value.map((piece) => (typeof piece === 'string' ? piece : '')).join('')
      return name === 'Cookie' ? text.split('; ').map((pair) => `the cookie ${pair.split('=', 1)}`) : [name]
    })
}

/** What `fetch` takes. @returns {[url: string, options: RequestInit]} */
export function requestOf(
  /** @type {import('./request.js').Call} */ { method, url, headers, body },
  /** @type {(scheme: string) => string} */ keyOf,
  /** @type {AbortSignal} */ signal,
) {
  const written = (/** @type {import('./request.js').Text} */ text) =>
    text.map((piece) => (typeof piece === 'string' ? piece : encodedKey(keyOf(piece.scheme), piece))).join('')
  const chunks = (body?.chunks ?? []).map((chunk) => (typeof chunk === 'string' ? chunk : (chunk.bytes ?? '')))
  const sent = new Headers(headers.map(([name, value]) => [name, written(value)]))
  return [written(url), { method, headers: sent, signal, ...(body && { body: new Blob(chunks) }) }]
}

function encodedKey(/** @type {string} */ key, /** @type {import('./request.js').Secret} */ { encoding }) {
  if (encoding === 'percent') return encodeURIComponent(key)
  return encoding === 'base64' ? base64(key) : key
}
