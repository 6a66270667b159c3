// Domains as users see them: facts by code, with texts in English. Times are ISO 8601, in UTC.
import type { Addressee, Definition } from '../problems/problem.ts'
import type { ProofRecord, RequiredRecord } from '../problems/required-record.ts'
import type { CertificateDates, DnsRecord, Domain, DomainName, ProblemCode, RedirectStatus } from '../state/domain.ts'

export interface DomainView {
  /** The name in lower-case ASCII. */
  domain: string
  /** The domain in its own script. */
  displayName: string
  kind: DomainName['kind']
  /** The www name of an apex, and the other way round; absent unless both have been added. */
  counterpart?: string
  redirect?: RedirectView
  state: Domain['state']
  /** The state in a sentence, and the next step. */
  summary: string
  addedAt: string
  liveSince?: string
  /** When the domain may next be verified; a time in the past means now. */
  canVerifyAt: string
  record: RequiredRecord
  /** The record that proves the ownership, where it is required. */
  proof?: ProofRecord
  /** As `add` was given them. */
  owner?: string
  data?: unknown
  problem?: ProblemView
  certificate?: CertificateView
  /** Advice for a user in this state, for example on cached redirects. */
  hint?: string
}

export interface RedirectView {
  to: string
  /** Whether it is applied. Until its target is live, the domain is served as usual. */
  isActive: boolean
  status: RedirectStatus
}

export interface ProblemView {
  code: ProblemCode
  about: Definition<unknown>['about']
  /** Who can act; for all others, there are no steps. */
  addressee: Addressee
  /** Nothing is wrong yet: perhaps the record only needs time. */
  isPending?: true
  /** What DNS has in place of the required record. Absent where that is not known. */
  found?: DnsRecord[]
  /** The problem in a sentence. */
  message: string
  /** Steps that fix it, a sentence each. */
  steps: string[]
  /** What else to know, such as when the next retry is, a sentence each. */
  notes: string[]
  nextTryAt?: string
  /** What kept the other authorities from issuing, if several were tried: all else is of one. */
  failures?: { authority: string; code: ProblemCode; message: string }[]
}

export interface CertificateView extends CertificateDates {
  /** The directory URL it was ordered from; absent where that is not known. */
  authority?: string
  /** When its renewal is planned. */
  renewsAt: string
  /** When the authority suggests renewing it (RFC 9773), if it does. */
  renewal?: { start: string; end: string }
}
