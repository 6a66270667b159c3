// The operations of the private API, by operationId.
import type { DomainError } from 'custom-domains'
import type { HandlersOf } from 'exact-openapi'
import type { Site, SiteError } from '../site.ts'
import type { components, operations, received } from './dashboard.d.ts'
import { errorResponse, type errors } from './errors.ts'

/** The private API of the page "Project settings / Domains". */
export const dashboardDocument = new URL(import.meta.resolve('#dashboard.yaml'))

export type Plan = components['schemas']['Domains']['plan']

/** The operations throw while the storage is unreachable. */
export interface DashboardService extends Site {
  plan: Plan
  /** Whether the documentation is served, which must be the case before a domain is added. */
  isDeployed(): Promise<boolean>
}

/** Exactly one handler for each operation of the document. Operations that are rejected throw DomainError or SiteError. */
export type Handlers = HandlersOf<operations, received.operations, DashboardService>

const handlers: Handlers = {
  async listDomains({ query: { search, sort, offset, limit } }, { list, plan }) {
    return { status: 200, body: { plan, ...list({ search, sort, offset, limit }) } }
  },
  async getDomain({ path: { domain } }, { find }) {
    const body = find(domain)
    return body ? { status: 200, body } : errorResponse('domain_not_found')
  },
  async addDomain({ body: { domain, pair } }, { add, find, plan, isDeployed }) {
    if (plan === 'free') return errorResponse('plan_required')
    find(domain) // throws while the storage is unreachable: then the documentation does not respond either
    if (!(await isDeployed())) return errorResponse('not_deployed')
    return { status: 201, body: await add(domain, pair) }
  },
  async getPairChoices({ path: { domain } }, { pairChoices }) {
    return { status: 200, body: pairChoices(domain) }
  },
  async removeDomain({ path: { domain } }, { remove }) {
    await remove(domain)
    return { status: 204 }
  },
  async verifyDomain({ path: { domain } }, { verify }) {
    return { status: 202, body: await verify(domain) }
  },
  async reissueCertificate({ path: { domain } }, { reissue }) {
    return { status: 202, body: await reissue(domain) }
  },
  async revokeDomain({ path: { domain }, body: { reason, keep } }, { remove, revoke }) {
    await (keep ? revoke(domain, reason) : remove(domain, reason))
    return { status: 204 }
  },
  async setPrimaryDomain({ body: { domain } }, { setPrimary }) {
    return { status: 200, body: await setPrimary(domain) }
  },
  async setRedirect({ path: { domain }, body: { status } }, { redirect }) {
    return { status: 200, body: await redirect(domain, status) }
  },
  async removeRedirect({ path: { domain } }, { endRedirect }) {
    return { status: 200, body: await endRedirect(domain) }
  },
}

type Handler = (...args: unknown[]) => Promise<unknown>

/** What an operation rejects is a response of the document, too. */
const rejecting =
  (handle: Handler): Handler =>
  (...args) =>
    handle(...args).catch(responseTo)

export const dashboardHandlers = Object.fromEntries(
  Object.entries(handlers).map(([id, handle]) => [id, rejecting(handle as Handler)]),
) as unknown as Handlers

/** Compares the name, as the engine's modules may not be loaded. */
function responseTo(error: DomainError | SiteError) {
  if (error.name !== 'DomainError' && error.name !== 'SiteError') throw error
  const { code, message, retryAfter } = error as DomainError & { code: keyof typeof errors }
  return {
    ...errorResponse(code, message || undefined), // an empty message: the default one of the code
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  }
}
