// The operations of the private API, by operationId.
import type { Registry } from 'custom-domains'
import type { HandlersOf } from 'exact-openapi'
import type { components, operations, received } from './dashboard.d.ts'
import { errorResponse } from './errors.ts'

/** The private API of the page "Project settings / Domains". */
export const dashboardDocument = new URL(import.meta.resolve('#dashboard.yaml'))

export type Plan = components['schemas']['Domains']['plan']

/** Exactly one handler for each operation of the document. */
export type Handlers = HandlersOf<operations, received.operations, { registry: Registry; plan: Plan }>

export const dashboardHandlers: Handlers = {
  async listDomains({ query: { search, sort, offset, limit } }, { registry, plan }) {
    return { status: 200, body: { plan, ...registry.list({ search, sort, offset, limit }) } }
  },
  async getDomain({ path: { domain } }, { registry }) {
    const view = registry.find(domain)
    return 'rejected' in view ? errorResponse(view.rejected) : { status: 200, body: view }
  },
  async addDomain({ body: { domain, pair } }, { registry, plan }) {
    if (plan === 'free') return errorResponse('plan_required')
    const added = await registry.add(domain, pair)
    if (!('rejected' in added)) return { status: 201, body: added }
    return errorResponse(added.rejected === 'not_allowed' ? 'not_deployed' : added.rejected, added.message)
  },
  async getPairChoices({ path: { domain } }, { registry }) {
    return { status: 200, body: registry.pairChoices(domain) }
  },
  async removeDomain({ path: { domain } }, { registry }) {
    const failure = await registry.remove(domain)
    return failure ? errorResponse(failure.rejected, failure.message) : { status: 204 }
  },
  async verifyDomain({ path: { domain } }, { registry }) {
    return responseTo(await registry.verify(domain))
  },
  async reissueCertificate({ path: { domain } }, { registry }) {
    return responseTo(await registry.reissue(domain))
  },
  async revokeDomain({ path: { domain }, body: { reason, keep } }, { registry }) {
    const failure = await registry.revoke(domain, reason, keep)
    return failure ? errorResponse(failure.rejected, failure.message) : { status: 204 }
  },
  async setPrimaryDomain({ body: { domain } }, { registry }) {
    const primary = await registry.setPrimary(domain)
    return 'rejected' in primary ? errorResponse(primary.rejected, primary.message) : { status: 200, body: primary }
  },
  async setRedirect({ path: { domain }, body: { status } }, { registry }) {
    const redirected = await registry.setRedirect(domain, status)
    return 'rejected' in redirected
      ? errorResponse(redirected.rejected, redirected.message)
      : { status: 200, body: redirected }
  },
  async removeRedirect({ path: { domain } }, { registry }) {
    const served = await registry.removeRedirect(domain)
    return 'rejected' in served ? errorResponse(served.rejected, served.message) : { status: 200, body: served }
  },
}

/** @param attempt the outcome of a request that starts an attempt */
function responseTo(attempt: Awaited<ReturnType<Registry['verify']>>) {
  if (!('rejected' in attempt)) return { status: 202 as const, body: attempt }
  if (attempt.rejected !== 'rate_limited') return errorResponse(attempt.rejected, attempt.message)
  const headers = { 'retry-after': String(attempt.retryAfterSeconds) }
  return { ...errorResponse('rate_limited', attempt.message), headers }
}
