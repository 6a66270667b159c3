// The interface of certificate issuers, and the error in which they say why there is no certificate.
import type { Problem } from '../state/domain.ts'

export interface Issuer {
  /** The names that identify the authority in CAA records (RFC 8555, section 7.1.1). @throws IssueError */
  identities(signal: AbortSignal): Promise<readonly string[]>
  /** Requests a certificate for one host and waits for it. @returns key and chain in one PEM @throws IssueError */
  issue(host: string, signal: AbortSignal): Promise<string>
}

export class IssueError extends Error {
  readonly problem: Problem
  /** The minimum wait that the authority asks for; 0 for none. */
  readonly retryAfterMs: number

  constructor(problem: Problem, retryAfterMs = 0) {
    super('detail' in problem ? problem.detail : problem.code)
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}
