// A client for the private API, domains/api/dashboard.yaml. The key is held in this closure only.

/** @typedef {import('../../api/dashboard.d.ts').components['schemas']} Schemas */
/** @typedef {Schemas['Domains']} Domains */
/** @typedef {Schemas['Domain']} Domain */
/** @typedef {NonNullable<Domain['problem']>['code']} ProblemCode */
/** @typedef {ReturnType<typeof createApi>} Api */

/** How many domains are shown at first, and added by “Show more”; and how many can be shown. */
export const PAGE = 100
export const MOST = 1_000

/** An error response, with a message for the user. `status` is 0 when there was no response. */
export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** @param {string} base The base URL. @param {string} key */
export function createApi(base, key) {
  let ahead = 0 // milliseconds by which the server's clock is ahead of ours

  /** @param {string} method @param {string} path @param {{ body?: object, signal?: AbortSignal }} [options] */
  async function call(method, path, { body: content, signal } = {}) {
    const headers = { authorization: `Bearer ${key}`, ...(content && { 'content-type': 'application/json' }) }
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      body: content ? JSON.stringify(content) : null,
      signal: signal ?? null,
      cache: 'no-store',
    }).catch((error) => {
      throw signal?.aborted ? error : new ApiError(0, 'The server cannot be reached.')
    })
    const date = response.headers.get('date')
    if (date) ahead = Date.parse(date) - Date.now()
    const body = await response.json().catch(() => undefined) // a 204, or a proxy's response
    if (response.ok) return body
    if (response.status === 401) throw new ApiError(401, 'This key is not valid.')
    if (body?.code === 'domain_not_found') throw new ApiError(404, 'This domain was removed in the meantime.')
    throw new ApiError(response.status, body?.message ?? `The server responded with status ${response.status}.`)
  }

  /** @param {string} host */
  const at = (host) => `/domains/${encodeURIComponent(host)}`

  return {
    /** The server's time in milliseconds, by which it allows the next verification. */
    now: () => Date.now() + ahead,
    /** @param {{ search?: string, limit?: number, signal?: AbortSignal }} [options] @returns {Promise<Domains>} */
    listDomains({ search = '', limit = PAGE, signal } = {}) {
      const query = new URLSearchParams({ sort: 'attention', limit: String(limit), ...(search && { search }) })
      return call('GET', `/domains?${query}`, signal && { signal })
    },
    /** @param {string} domain @param {string} [pair] @returns {Promise<Domain>} */
    addDomain: (domain, pair) => call('POST', '/domains', { body: { domain, ...(pair && { pair }) } }),
    /** @param {string} typed @returns {Promise<Schemas['PairChoices']>} */
    getPairChoices: (typed) => call('GET', `/pairs/${encodeURIComponent(typed)}`),
    /** @param {string} host */
    removeDomain: (host) => call('DELETE', at(host)),
    /** @param {string} host @param {string} reason @param {boolean} keep Keeps the domain. */
    revokeDomain: (host, reason, keep) => call('POST', `${at(host)}/revoke`, { body: { reason, keep } }),
    /** @param {string} host */
    reissueCertificate: (host) => call('POST', `${at(host)}/reissue`),
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
