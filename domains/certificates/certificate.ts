// Certificates as PEM: a private key and the chain, in one text.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { CertificateDates } from '../state/domain.ts'

/** @throws when the text is not a certificate, or the key does not match it */
export function readCertificate(pem: string): CertificateDates & { hosts: string[] } {
  const certificate = new X509Certificate(pem)
  if (!certificate.checkPrivateKey(createPrivateKey(pem))) throw new Error('The key does not match the certificate.')
  const { issuer, validFrom, validTo, subjectAltName = '' } = certificate
  return {
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

/** @throws like readCertificate */
export function secureContextOf(pem: string): SecureContext {
  return createSecureContext({ key: pem, cert: pem })
}
