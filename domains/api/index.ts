// The operations of the private API, by operationId.
import type { Registry } from 'custom-domains'
import type { HandlersOf } from 'exact-openapi'
import type { components, operations, received } from './dashboard.d.ts'
import { errorResponse, type errors } from './errors.ts'

/** The private API of the page "Project settings / Domains". */
export const dashboardDocument = new URL(import.meta.resolve('#dashboard.yaml'))

export type Plan = components['schemas']['Domains']['plan']

export interface DashboardService {
  registry: Registry
  plan: Plan
  /** Whether the documentation is served, which must be the case before a domain is added. */
  isDeployed(): Promise<boolean>
}

/** Exactly one handler for each operation of the document. */
export type Handlers = HandlersOf<operations, received.operations, DashboardService>

export const dashboardHandlers: Handlers = {
  async listDomains({ query: { search, sort, offset, limit } }, { registry, plan }) {
    return { status: 200, body: { plan, ...registry.list({ search, sort, offset, limit }) } }
  },
  async getDomain({ path: { domain } }, { registry }) {
    return viewOr(registry.find(domain))
  },
  async addDomain({ body: { domain, pair } }, { registry, plan, isDeployed }) {
    if (plan === 'free') return errorResponse('plan_required')
    if (!(await isDeployed())) return errorResponse('not_deployed')
    const added = await registry.add(domain, { pair })
    if (!('rejected' in added)) return { status: 201, body: added }
    /* c8 ignore next -- the service has no `allow`, which alone leads to not_allowed */
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
    return viewOr(await registry.setPrimary(domain))
  },
  async setRedirect({ path: { domain }, body: { status } }, { registry }) {
    return viewOr(await registry.setRedirect(domain, status))
  },
  async removeRedirect({ path: { domain } }, { registry }) {
    return viewOr(await registry.removeRedirect(domain))
  },
}

function viewOr<View extends object, Code extends keyof typeof errors>(
  outcome: View | { rejected: Code; message?: string | undefined },
) {
  return 'rejected' in outcome
    ? errorResponse(outcome.rejected, outcome.message)
    : { status: 200 as const, body: outcome }
}

/** @param attempt the outcome of a request that starts an attempt */
function responseTo(attempt: Awaited<ReturnType<Registry['verify']>>) {
  if (!('rejected' in attempt)) return { status: 202 as const, body: attempt }
  if (attempt.rejected !== 'rate_limited') return errorResponse(attempt.rejected, attempt.message)
  const headers = { 'retry-after': String(attempt.retryAfterSeconds) }
  return { ...errorResponse('rate_limited', attempt.message), headers }
}
