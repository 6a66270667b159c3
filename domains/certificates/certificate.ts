// Certificates as PEM texts that hold a key and its chain, and the interface of those who issue them.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { CertificateDates, Problem } from '../state/domain.ts'

export interface Issuer {
  /** The names by which CAA records allow the authority (RFC 8555, section 7.1.1). @throws IssueError */
  identities(signal: AbortSignal): Promise<readonly string[]>
  /** Orders a certificate for one host and waits for it. @returns key and chain in one PEM @throws IssueError */
  issue(host: string, signal: AbortSignal): Promise<string>
}

export class IssueError extends Error {
  readonly problem: Problem
  /** How long the authority asks to wait at least; 0 when it does not. */
  readonly retryAfterMs: number

  constructor(problem: Problem, retryAfterMs = 0) {
    super('detail' in problem ? problem.detail : problem.code)
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}

const TEN_DAYS_MS = 10 * 24 * 3_600_000

/** @throws when it is no certificate, or the key is not the certificate's */
export function readCertificate(pem: string): CertificateDates & { hosts: string[] } {
  const certificate = new X509Certificate(pem)
  if (!certificate.checkPrivateKey(createPrivateKey(pem)))
    throw new Error('The key does not belong to the certificate.')
  const { issuer, validFrom, validTo, subjectAltName = '' } = certificate
  return {
    issuer: nameOf(issuer),
    notBefore: new Date(validFrom).toISOString(),
    notAfter: new Date(validTo).toISOString(),
    hosts: Array.from(subjectAltName.matchAll(/(?:^|, )DNS:([^",]+)/g), ([, host]) => host as string),
  }
}

/** The organisation and the name: `Let's Encrypt R11` of a distinguished name with a line for each attribute. */
function nameOf(issuer: string): string {
  return Array.from(issuer.matchAll(/^(?:O|CN)=(.*)$/gm), ([, value]) => value).join(' ')
}

/** With a third of the life left, or half of one under ten days. */
export function renewsAt({ notBefore, notAfter }: Pick<CertificateDates, 'notBefore' | 'notAfter'>): Date {
  const end = Date.parse(notAfter)
  const life = end - Date.parse(notBefore)
  return new Date(end - life / (life < TEN_DAYS_MS ? 2 : 3))
}

/** What TLS serves. @throws like readCertificate */
export function secureContextOf(pem: string): SecureContext {
  return createSecureContext({ key: pem, cert: pem })
}
