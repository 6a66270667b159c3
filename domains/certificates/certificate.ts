// Certificates as PEM: a private key and the chain, in one text, which a header says the origin of.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { IssuedCertificate } from '../state/domain.ts'

export interface Origin {
  /** The directory URL of the authority. */
  authority: string
  issuedAt: string
}

/** Parsers skip text before the first boundary (RFC 7468, section 2). */
export function withOrigin(pem: string, { authority, issuedAt }: Origin): string {
  return `Authority: ${authority}\nIssued: ${issuedAt}\n${pem}`
}

/** Empty for a certificate from before the origin was recorded. */
export function originOf(pem: string): Partial<Origin> {
  const [, authority, issuedAt] = /^Authority: (\S+)\nIssued: (\S+)\n/.exec(pem) ?? []
  return { ...(authority && { authority }), ...(issuedAt && { issuedAt }) }
}

/** @throws when the text is not a certificate, or the key does not match it */
export function readCertificate(pem: string): IssuedCertificate & { hosts: string[] } {
  const certificate = new X509Certificate(pem)
  if (!certificate.checkPrivateKey(createPrivateKey(pem))) throw new Error('The key does not match the certificate.')
  const { issuer, validFrom, validTo, subjectAltName = '' } = certificate
  const { authority } = originOf(pem)
  return {
    ...(authority && { authority }),
    issuer: nameOf(issuer),
    notBefore: new Date(validFrom).toISOString(),
    notAfter: new Date(validTo).toISOString(),
    hosts: Array.from(subjectAltName.matchAll(/(?:^|, )DNS:([^",]+)/g), ([, host]) => host as string),
  }
}

/** Organization and common name, `Let's Encrypt R11`, of a distinguished name that has one attribute per line. */
function nameOf(issuer: string): string {
  return Array.from(issuer.matchAll(/^(?:O|CN)=(.*)$/gm), ([, value]) => value).join(' ')
}

/** True if the text is a certificate for the host. */
export function certifies(pem: string, host: string): boolean {
  try {
    return readCertificate(pem).hosts.includes(host)
  } catch {
    return false
  }
}

/** The certificate itself, without key and chain. @throws like readCertificate */
export function leafOf(pem: string): string {
  return new X509Certificate(pem).toString()
}

/** @throws like readCertificate */
export function secureContextOf(pem: string): SecureContext {
  return createSecureContext({ key: pem, cert: pem })
}
