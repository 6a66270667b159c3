// The operations of the private API, by operationId.
import { errorResponse } from './errors.ts'
import type { Handlers, Started } from './types.ts'

/** The private API of the page "Project settings / Domains". */
export const dashboardDocument = new URL(import.meta.resolve('#dashboard.yaml'))

export const dashboardHandlers: Handlers = {
  async listDomains(_input, { domains }) {
    return { status: 200, body: domains.list() }
  },
  async addDomain({ body: { domain, pair } }, { domains }) {
    const added = await domains.add(domain, pair)
    return 'refused' in added ? errorResponse(added.refused, added.message) : { status: 201, body: added }
  },
  async getPairChoices({ path: { domain } }, { domains }) {
    return { status: 200, body: domains.pairChoices(domain) }
  },
  async removeDomain({ path: { domain } }, { domains }) {
    const failure = await domains.remove(domain)
    return failure ? errorResponse(failure.refused, failure.message) : { status: 204 }
  },
  async verifyDomain({ path: { domain } }, { domains }) {
    return responseTo(await domains.verify(domain))
  },
  async reissueCertificate({ path: { domain } }, { domains }) {
    return responseTo(await domains.reissue(domain))
  },
  async revokeDomain({ path: { domain }, body: { reason } }, { domains }) {
    const failure = await domains.revoke(domain, reason)
    return failure ? errorResponse(failure.refused, failure.message) : { status: 204 }
  },
  async setPrimaryDomain({ body: { domain } }, { domains }) {
    const primary = await domains.setPrimary(domain)
    return 'refused' in primary ? errorResponse(primary.refused) : { status: 200, body: primary }
  },
  async setRedirect({ path: { domain }, body: { status = 301 } }, { domains }) {
    const redirected = await domains.setRedirect(domain, status)
    return 'refused' in redirected ? errorResponse(redirected.refused) : { status: 200, body: redirected }
  },
  async removeRedirect({ path: { domain } }, { domains }) {
    const served = await domains.removeRedirect(domain)
    return 'refused' in served ? errorResponse(served.refused) : { status: 200, body: served }
  },
}

function responseTo(attempt: Started) {
  if (!('refused' in attempt)) return { status: 202 as const, body: attempt }
  if (attempt.refused !== 'rate_limited') return errorResponse(attempt.refused, attempt.message)
  const headers = { 'retry-after': String(attempt.retryAfterSeconds) }
  return { ...errorResponse('rate_limited', attempt.message), headers }
}
