// The certificate issuer interface, and the error that explains a failure to issue.

import type { Problem } from '../state/domain.ts'
import { printable } from '../state/printable.ts'

export interface Issuer {
  /** Identifies the authority: its directory URL. */
  readonly authority: string
  /** The names that identify the authority in CAA records (RFC 8555, section 7.1.1). @throws IssueError */
  identities(signal: AbortSignal): Promise<readonly string[]>
  /**
   * Requests a certificate for one host and waits for it.
   * @param save stores the order, and whether it is exempt from limits; until then, nothing is issued
   * @param former the certificate that the new one replaces
   * @param onValidated called once the authority has validated the host: from then on, it alone has work to do
   * @returns key and chain in one PEM
   * @throws IssueError
   */
  issue(
    host: string,
    signal: AbortSignal,
    save: (order: PendingOrder, isExempt?: boolean) => Promise<void>,
    former?: string,
    onValidated?: () => void,
  ): Promise<string>
  /**
   * Completes an order. @returns like issue; undefined once it is invalid, has expired or lost its account
   * @throws IssueError
   */
  resume(host: string, order: PendingOrder, signal: AbortSignal, onValidated?: () => void): Promise<string | undefined>
  /** When the authority suggests renewing a certificate (RFC 9773), if it does. @throws IssueError */
  renewalWindow(host: string, pem: string, signal: AbortSignal): Promise<RenewalWindow | undefined>
  /** Revokes a certificate that it has issued (RFC 8555, section 7.6). @throws IssueError */
  revoke(host: string, pem: string, reason: RevocationReason, signal: AbortSignal): Promise<void>
}

/** An order in progress, stored with its key until a certificate is, so that no authority gets a second one. */
export interface PendingOrder {
  /** The directory URL of the authority. */
  authority: string
  url: string
  /** The private key of the certificate, as PEM. */
  key: string
  begunAt: string
  /** The URL of the account that placed it; undefined for an order from before this was recorded. */
  account?: string
  /** When the authority drops it unless it is complete, if it says so. */
  expires?: string
  /** What has kept it from being completed, since when. */
  stalled?: { reason: Stall; since: string }
}

export interface RenewalWindow {
  start: string
  end: string
  /** A page on why the authority suggests this window. */
  explanationUrl?: string
  /** How long to wait before the next query. */
  retryAfterMs: number
}

/** The codes of RFC 5280, section 5.3.1, that subscribers choose from. */
export const revocationReasons = {
  unspecified: 0,
  keyCompromise: 1,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
} as const

export type RevocationReason = keyof typeof revocationReasons

const LONGEST_DETAIL = 1000

/** The authority does not find the order, or does not complete it. */
export type Stall = 'lost' | 'unfinished'

export class IssueError extends Error {
  readonly problem: Problem
  /** Set if the order may have to be given up. */
  readonly stall: Stall | undefined
  /** The minimum wait that the authority asks for; 0 for none. */
  readonly retryAfterMs: number
  /** The authority's own type of error (RFC 8555, section 6.7), without its prefix. */
  readonly type: string

  constructor(problem: Problem, retryAfterMs = 0, type = '', stall?: Stall) {
    const bounded =
      'detail' in problem
        ? { ...problem, detail: printable(String(problem.detail).replace(/\s+/g, ' '), LONGEST_DETAIL) }
        : problem
    super('detail' in bounded ? bounded.detail : bounded.code)
    this.problem = bounded
    this.retryAfterMs = retryAfterMs
    this.type = type
    this.stall = stall
  }
}

/** The authority has ended the order: only a new one can succeed. After any other error, the order may still be completed. */
export class OrderEndedError extends IssueError {}
