// PEM bundles (private key and chain), prefixed with a header that records the issuing authority.
import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { IssuedCertificate } from '../state/domain.ts'

export interface Origin {
  /** The directory URL of the authority. */
  authority: string
  issuedAt: string
}

export interface Leaf extends IssuedCertificate {
  hosts: string[]
}

/** Parsers skip text before the first boundary (RFC 7468, section 2). */
export function withOrigin(pem: string, { authority, issuedAt }: Origin): string {
  return `Authority: ${authority}\nIssued: ${issuedAt}\n${pem}`
}

/** Empty for a certificate that another program stored. */
export function originOf(pem: string): Partial<Origin> {
  const [, authority, issuedAt] = /^Authority: (\S+)\nIssued: (\S+)\n/.exec(pem) ?? []
  return { ...(authority && { authority }), ...(issuedAt && { issuedAt }) }
}

/** An attempt reads the same certificate several times, and each check by TLS takes milliseconds. */
const RECENT = 100
const recent = new Map<string, Leaf>()

/** @throws when TLS cannot use it: it is no certificate, its key is missing or another one, or the chain is damaged */
export function readCertificate(pem: string): Leaf {
  const id = createHash('sha256').update(pem).digest('hex')
  const cached = recent.get(id)
  if (cached) return cached
  createSecureContext({ key: pem, cert: pem }) // X509Certificate reads the leaf alone
  const leaf = describe(new X509Certificate(pem), pem)
  recent.set(id, leaf)
  const [oldest] = recent.keys()
  if (recent.size > RECENT) recent.delete(oldest as string)
  return leaf
}

/** Undefined when the text is not a certificate. The key may be missing. */
export function readLeaf(pem: string): Leaf | undefined {
  try {
    return describe(new X509Certificate(pem), pem)
  } catch {
    return undefined
  }
}

function describe({ issuer, validFrom, validTo, subjectAltName = '' }: X509Certificate, pem: string): Leaf {
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

/** True if the text is a certificate for the host, and TLS can use it. */
export function certifies(pem: string, host: string): boolean {
  try {
    return readCertificate(pem).hosts.includes(host)
  } catch {
    return false
  }
}

/** @throws why TLS cannot serve the host with it */
export function contextFor(pem: string, host: string): SecureContext {
  const context = createSecureContext({ key: pem, cert: pem })
  const { hosts } = describe(new X509Certificate(pem), pem)
  if (!hosts.includes(host)) throw new Error(`it is for ${hosts.join(', ')}`)
  return context
}

/** Identifies the key of a certificate or an order: the SHA-256 of the public key. @throws when there is none */
export function keyIdOf(pem: string): string {
  return createHash('sha256')
    .update(createPublicKey(pem).export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----\s*/gs

export function withoutKey(pem: string): string {
  return pem.replace(privateKey, '')
}
