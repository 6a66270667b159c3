// Obtains a current certificate for a new domain, or for one whose certificate is due for renewal.
import { type Leaf, originOf, readCertificate as readPem } from '../certificates/certificate.ts'
import { IssueError } from '../certificates/issuer.ts'
import type { Targets } from '../dns/records.ts'
import type { DnsVerifier } from '../dns/verify.ts'
import { proofHost } from '../problems/required-record.ts'
import type { Domain, IssuedCertificate, Problem } from '../state/domain.ts'
import { authorityNamed } from './certificate-authority.ts'
import { type IssueOptions, issue, type SaveStep } from './issue.ts'
import { hasExpired, isServed, renewalDueAt } from './schedule.ts'
import type { Failed, Live } from './transitions.ts'

export interface ObtainOptions extends IssueOptions {
  /** Replaced where there are no certificates, but what they state. */
  readCertificate?: ((pem: string) => Leaf) | undefined
  targets: Targets
  dns: DnsVerifier
  /** Whether a host may be served: true, or why not. */
  allow(host: string, owner?: string): Promise<boolean | string>
  /** In [0, 1): the jitter of retries and renewals. */
  random(): number
}

/** While the authority is unreachable. */
const RETRY_RENEWAL_INFO_MS = 6 * 3_600_000

type Renewal = NonNullable<IssuedCertificate['renewal']>

/** @throws any unforeseen error, and errors of `saveStep` */
export async function obtain(
  domain: Domain,
  signal: AbortSignal,
  saveStep: SaveStep,
  options: ObtainOptions,
): Promise<void> {
  const now = options.clock.now()
  if (domain.certificate && (domain.state === 'failed' || hasExpired(domain, now))) {
    const { host } = domain.name
    const stored = await options.certificates.loadCertificate(host)
    // The clock was wrong when the domain failed, or a newer certificate was stored and the state was not.
    if (stored !== undefined && isValid(stored, host, now, options)) return saveStep({ kind: 'live', pem: stored })
  }
  if (hasExpired(domain, now)) await saveStep({ kind: 'expired' })
  await saveStep(await verifyAndIssue(domain, signal, saveStep, options))
}

/** Verifies the DNS record, then requests a certificate unless a current one is stored. */
async function verifyAndIssue(
  domain: Domain,
  signal: AbortSignal,
  saveStep: SaveStep,
  options: ObtainOptions,
): Promise<Live | Failed> {
  const { dns, certificates, clock, readCertificate = readPem } = options
  const { name, isPlatform, waitingSince } = domain
  const { host } = name

  await saveStep({ kind: 'progress', state: 'verifying' })
  const refused = isPlatform ? undefined : await refusalOf(domain, signal, options)
  if (refused) return { kind: 'failed', problem: refused }
  // Users point their domains to the target; the platform's own domain may have any address.
  const { problem, outdated } = await (isPlatform
    ? dns.verify({ ...name, kind: 'apex' }, [host], signal)
    : dns.verify(name, domain.target === undefined ? options.targets : [domain.target], signal))
  if (problem) return { kind: 'failed', problem }
  // Authorities query from several places, so a server without the record fails a first order. A renewal is tried.
  if (outdated && 'server' in outdated && !isServed(domain, clock.now()))
    return { kind: 'failed', problem: { code: 'record_not_everywhere', ...outdated } }
  const verifiedAt = clock.now().toISOString()
  await saveStep({
    kind: 'progress',
    state: 'verified',
    verifiedAt,
    waitingSince: waitingSince ?? verifiedAt,
    outdated,
    ...(domain.proof && { proof: { provenAt: verifiedAt, ...domain.proof } }),
  })

  const stored = await certificates.loadCertificate(host)
  let current = domain
  if (stored !== undefined && isUsable(stored, domain, clock.now(), options)) {
    const renewal = await suggestedRenewal(stored, domain, signal, options)
    const certificate = { ...readCertificate(stored), ...(renewal && { renewal }) }
    const now = clock.now()
    if (now < renewalDueAt(domain, certificate, now)) {
      await certificates.dropOrders(host).catch(() => {}) // tried again at the next check
      return { kind: 'live', pem: stored, renewal, isConfirmed: isServed(domain, now) && !domain.problem }
    }
    current = { ...domain, certificate }
  }

  return issue(current, signal, saveStep, options)
}

/** Why the domain may not be served, whatever its record is: the platform does not allow it, or it is not proven to be the owner's. */
async function refusalOf(
  { name: { host }, owner, proof }: Domain,
  signal: AbortSignal,
  { allow, dns }: ObtainOptions,
): Promise<Problem | undefined> {
  const allowed = await allow(host, owner)
  if (allowed !== true) return { code: 'not_allowed', reason: allowed || 'not_allowed' }
  if (!proof || proof.provenAt !== undefined) return undefined
  const record = { name: proofHost(host), value: proof.token }
  const isProven = await dns.hasText(record.name, record.value, signal)
  return isProven === true ? undefined : isProven || { code: 'proof_missing', ...record }
}

/** A time within the window that the authority suggests (RFC 9773, section 4.2), kept as long as the window is the same. */
async function suggestedRenewal(
  pem: string,
  { name, certificate }: Domain,
  signal: AbortSignal,
  { authorities, clock, random, readCertificate = readPem }: ObtainOptions,
): Promise<Renewal | undefined> {
  const { issuer } = authorityNamed(authorities, originOf(pem).authority) ?? authorities[0]
  const former = certificate?.notAfter === readCertificate(pem).notAfter ? certificate.renewal : undefined
  const checkAfter = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  try {
    const window = await issuer.renewalWindow(name.host, pem, signal)
    if (!window) return undefined
    const { retryAfterMs, ...suggested } = window
    const { start, end } = suggested
    const isSame = start === former?.start && end === former.end
    const chosen = Date.parse(start) + random() * (Date.parse(end) - Date.parse(start))
    const at = isSame ? former.at : new Date(chosen).toISOString()
    return { ...suggested, at, checkAt: checkAfter(retryAfterMs) }
  } catch (error) {
    if (!(error instanceof IssueError)) throw error
    return former && { ...former, checkAt: checkAfter(RETRY_RENEWAL_INFO_MS) }
  }
}

/** True if a stored certificate is valid, from one of the authorities, and not to be replaced on request. */
function isUsable(
  pem: string,
  { name, reissueAt }: Domain,
  now: Date,
  options: Pick<ObtainOptions, 'authorities' | 'readCertificate'>,
): boolean {
  const { authorities } = options
  if (!isValid(pem, name.host, now, options)) return false
  const origin = originOf(pem)
  const isReplaced = reissueAt !== undefined && (origin.issuedAt ?? '') < reissueAt
  const isCurrent = origin.authority === undefined || authorityNamed(authorities, origin.authority) !== undefined
  return !isReplaced && isCurrent
}

/** A certificate whose validity has not begun counts as valid: only a slow clock explains it. */
function isValid(
  pem: string,
  host: string,
  now: Date,
  { readCertificate = readPem }: Pick<ObtainOptions, 'readCertificate'>,
): boolean {
  try {
    const { hosts, notAfter } = readCertificate(pem)
    return hosts.includes(host) && now < new Date(notAfter)
  } catch {
    return false
  }
}
