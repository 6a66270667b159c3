// What a request sends so that it is allowed, as the security schemes of the document say.

/** Adds the keys that were entered. @returns the URL, which may have some of them */
export function withKeys(
  /** @type {string} */ url,
  /** @type {Headers} */ headers,
  /** @type {readonly (Pick<import('./request.js').Credential, 'in' | 'name' | 'prefix'> & { key: string })[]} */ credentials,
) {
  const entered = credentials.filter(({ key }) => key !== '')
  for (const { name, prefix, key } of entered.filter((credential) => credential.in === 'header')) {
    headers.append(name, `${prefix}${prefix === 'Basic ' && key.includes(':') ? base64(key) : key}`)
  }
  const pairs = entered
    .filter((credential) => credential.in === 'query')
    .map(({ name, key }) => [name, key].map(encodeURIComponent).join('='))
  return [url, ...pairs].reduce((whole, pair) => `${whole}${whole.includes('?') ? '&' : '?'}${pair}`)
}

/** Of its UTF-8 (RFC 7617, section 2.1). */
export const base64 = (/** @type {string} */ text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
