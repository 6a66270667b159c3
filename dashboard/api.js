// The private API, spec/dashboard.yaml, as functions. The key lives in this closure and nowhere else.

/** @typedef {import('../spec/dashboard.d.ts').components['schemas']} Schemas */
/** @typedef {Schemas['Domains']} Domains */
/** @typedef {Schemas['Domain']} Domain */
/** @typedef {ReturnType<typeof createApi>} Api */

/** What was refused, in words for the user. `status` is 0 where there was no answer. */
export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** @param {string} base Its address. @param {string} key */
export function createApi(base, key) {
  let ahead = 0 // milliseconds of the server's clock before ours

  /** @param {string} method @param {string} path @param {{ body?: object, signal?: AbortSignal }} [options] */
  async function call(method, path, { body, signal } = {}) {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
      cache: 'no-store',
    }).catch((error) => {
      throw signal?.aborted ? error : new ApiError(0, 'The server cannot be reached.')
    })
    const date = response.headers.get('date')
    if (date) ahead = Date.parse(date) - Date.now()
    const answer = await response.json().catch(() => undefined) // 204, or what a proxy says
    if (response.ok) return answer
    if (response.status === 401) throw new ApiError(401, 'This key is wrong, or no longer valid.')
    throw new ApiError(response.status, answer?.message ?? `The server answered with the status ${response.status}.`)
  }

  /** @param {string} host */
  const at = (host) => `/domains/${encodeURIComponent(host)}`

  return {
    /** The server's time in milliseconds: the one by which it lets a domain be verified again. */
    now: () => Date.now() + ahead,
    /** @param {AbortSignal} [signal] @returns {Promise<Domains>} */
    listDomains: (signal) => call('GET', '/domains', signal && { signal }),
    /** @param {string} domain @returns {Promise<Domain>} */
    addDomain: (domain) => call('POST', '/domains', { body: { domain } }),
    /** @param {string} host */
    removeDomain: (host) => call('DELETE', at(host)),
    /** @param {string} host */
    verifyDomain: (host) => call('POST', `${at(host)}/verify`),
    /** @param {string} host @param {number} status */
    setRedirect: (host, status) => call('PUT', `${at(host)}/redirect`, { body: { status } }),
    /** @param {string} host */
    removeRedirect: (host) => call('DELETE', `${at(host)}/redirect`),
    /** @param {string} domain */
    setPrimaryDomain: (domain) => call('PUT', '/primary', { body: { domain } }),
  }
}
