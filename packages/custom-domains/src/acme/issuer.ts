// Issues certificates from an ACME authority (RFC 8555), each for one host, validated over HTTP-01.
import { X509Certificate } from 'node:crypto'
import { originOf, readCertificate, withOrigin } from '../certificates/certificate.ts'
import { IssueError, type Issuer, OrderEndedError, revocationReasons } from '../certificates/issuer.ts'
import { type Clock, systemClock } from '../time.ts'
import { type AccountKeyStore, accountKeysOf, createKey } from './account-keys.ts'
import { type AcmeSession, type Resource, type SessionOptions, withSession } from './client.ts'
import { signingRequest } from './csr.ts'
import { type ChallengeStore, completeOrder, findOrder, placeOrder, validateOrder } from './orders.ts'
import { certificateId, windowIn } from './renewal-info.ts'

export interface AcmeOptions extends Omit<SessionOptions, 'keys'> {
  accountKey: AccountKeyStore
  challenges: ChallengeStore
  /** The certificate profile to order (draft-ietf-acme-profiles); the authority's default without one. */
  profile?: string | undefined
  clock?: Pick<Clock, 'now'> | undefined
  /** Replaced by tests. */
  openSession?: typeof withSession
  orderKeys?: OrderKeys
}

/** The keys of certificates, as PEM. */
export interface OrderKeys {
  create(): string
  /** @returns a certificate signing request, in DER */
  request(host: string, key: string): Buffer
}

const freshKeys: OrderKeys = { create: createKey, request: signingRequest }

/** Errors of the account key store pass through unchanged. */
export function acmeIssuer({ accountKey, challenges, profile, ...options }: AcmeOptions): Issuer {
  const { directoryUrl, clock = systemClock, openSession = withSession, orderKeys = freshKeys } = options
  const keys = accountKeysOf(accountKey, directoryUrl)
  const inSession = <T>(host: string, signal: AbortSignal, run: (session: AcmeSession) => Promise<T>) =>
    openSession(host, { ...options, keys }, signal, run)

  async function complete(
    host: string,
    order: Resource,
    key: string,
    session: AcmeSession,
    onValidated = () => {},
  ): Promise<string> {
    await validateOrder(host, order, challenges, session)
    onValidated()
    const chain = await completeOrder(host, order, () => orderKeys.request(host, key), session)
    const now = clock.now()
    return withOrigin(verified(host, `${key}${chain}`, now), { authority: directoryUrl, issuedAt: now.toISOString() })
  }

  /** The identifier of the certificate to replace; undefined if the authority does not use it. */
  async function replaced(pem: string | undefined, { directory }: AcmeSession): Promise<string | undefined> {
    if (pem === undefined || originOf(pem).authority !== directoryUrl) return undefined
    return (await directory()).body.renewalInfo === undefined ? undefined : certificateId(pem)
  }

  return {
    authority: directoryUrl,
    identities: (signal) =>
      inSession('', signal, async ({ directory }) => {
        const { caaIdentities } = ((await directory()).body.meta ?? {}) as { caaIdentities?: string[] }
        return caaIdentities ?? []
      }),

    issue: (host, signal, save, former, onValidated) =>
      inSession(host, signal, async (session) => {
        const begunAt = clock.now().toISOString()
        const key = orderKeys.create()
        const { order, isExempt } = await placeOrder(host, session, {
          profile,
          replaces: await replaced(former, session),
        })
        const { expires } = order.body
        await save(
          {
            authority: directoryUrl,
            url: order.url,
            key,
            begunAt,
            account: await session.account(),
            ...(typeof expires === 'string' && { expires }),
          },
          isExempt,
        )
        return complete(host, order, key, session, onValidated)
      }),

    resume: (host, pending, signal, onValidated) =>
      inSession(host, signal, async (session) => {
        const order = await findOrder(pending, clock.now(), session)
        return order && complete(host, order, pending.key, session, onValidated)
      }),

    renewalWindow: (host, pem, signal) =>
      inSession(host, signal, async ({ directory, get }) => {
        const { renewalInfo } = (await directory()).body
        const id = certificateId(pem)
        if (typeof renewalInfo !== 'string' || id === undefined) return undefined
        return windowIn(await get(`${renewalInfo}/${id}`))
      }),

    revoke: (host, pem, reason, signal) =>
      inSession(host, signal, async ({ operation, post }) => {
        const certificate = new X509Certificate(pem).raw.toString('base64url')
        await post(await operation('revokeCert'), { certificate, reason: revocationReasons[reason] }).catch((error) => {
          if (!(error instanceof IssueError) || error.type !== 'alreadyRevoked') throw error
        })
      }),
  }
}

/** An order has no other certificate than this one. @throws OrderEndedError */
function verified(host: string, pem: string, now: Date): string {
  const rejection = (detail: string) => new OrderEndedError({ code: 'ca_refused', detail })
  try {
    const { hosts, notAfter } = readCertificate(pem)
    if (hosts.includes(host) && Date.parse(notAfter) > now.getTime()) return pem
    throw rejection(`The certificate is for ${hosts.join(', ')} until ${notAfter}.`)
  } catch (error) {
    throw error instanceof OrderEndedError
      ? error
      : rejection(`The certificate is unusable: ${(error as Error).message}`)
  }
}
