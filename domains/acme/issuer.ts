// Issues certificates from an ACME authority (RFC 8555), each for one host, validated over HTTP-01.
import { Agent } from 'node:https'
import { axios, Client, crypto, type Order } from 'acme-client'
import { leafOf, originOf, withOrigin } from '../certificates/certificate.ts'
import { IssueError, type Issuer, revocationReasons } from '../certificates/issuer.ts'
import { type AccountKeyStore, accountKeyOf } from './account.ts'
import type { ChallengeStore, Connection } from './connection.ts'
import { completeOrder, findOrder, placeOrder } from './orders.ts'
import { certificateId, windowIn } from './renewal-info.ts'
import { withSession } from './session.ts'

export interface AcmeOptions {
  directoryUrl: string
  /** The contact address of the account. */
  email?: string | undefined
  accountKey: AccountKeyStore
  challenges: ChallengeStore
  /** The certificate profile to order (draft-ietf-acme-profiles); the authority's default without one. */
  profile?: string | undefined
  /** Binds the account to one at the authority (RFC 8555, section 7.3.4). */
  externalAccount?: { kid: string; hmacKey: string } | undefined
  /** Trusted roots (PEM) for the authority's own HTTPS, instead of Node's. */
  ca?: string | undefined
  /** For an issuance as a whole. */
  timeoutMs?: number
  /** For each request: an authority that does not answer within is unavailable. */
  requestTimeoutMs?: number
}

interface Directory {
  renewalInfo?: string
  meta?: { caaIdentities?: string[] }
}

/** Errors of the account key store pass through unchanged. */
export function acmeIssuer(options: AcmeOptions): Issuer {
  const { directoryUrl, email, challenges, profile, externalAccount, ca } = options
  const { timeoutMs = 300_000, requestTimeoutMs = 30_000 } = options
  const httpsAgent = new Agent({ ca })
  const loadKey = accountKeyOf(options.accountKey, directoryUrl)
  const sessionFor = (host: string, signal: AbortSignal) => ({ host, httpsAgent, signal, timeoutMs, requestTimeoutMs })

  /** A new client for each session, so that an authority that has lost the account gets it again. */
  async function withClient<T>(host: string, signal: AbortSignal, run: (connection: Connection) => Promise<T>) {
    const binding = externalAccount && { externalAccountBinding: externalAccount }
    const client = new Client({ directoryUrl, accountKey: await loadKey(), ...binding })
    return withSession(sessionFor(host, signal), async (signal) => {
      await client.createAccount({ termsOfServiceAgreed: true, contact: email ? [`mailto:${email}`] : [] })
      return run({ client, challenges, signal })
    })
  }

  async function complete(host: string, order: Order, key: string, connection: Connection): Promise<string> {
    const pem = await completeOrder(host, order, key, connection)
    return withOrigin(pem, { authority: directoryUrl, issuedAt: new Date().toISOString() })
  }

  async function directory(): Promise<Directory> {
    return (await axios.get(directoryUrl, { validateStatus: null })).data
  }

  /** The identifier of a certificate that a new one replaces; undefined where the authority has no use for it. */
  async function replaced(pem: string | undefined): Promise<string | undefined> {
    if (pem === undefined || originOf(pem).authority !== directoryUrl) return undefined
    return (await directory()).renewalInfo === undefined ? undefined : certificateId(pem)
  }

  return {
    authority: directoryUrl,
    identities: (signal) =>
      withSession(sessionFor('', signal), async () => {
        const { meta } = await directory()
        return meta?.caaIdentities ?? []
      }),

    issue: (host, signal, save, former) =>
      withClient(host, signal, async (connection) => {
        const begunAt = new Date().toISOString()
        const key = String(await crypto.createPrivateEcdsaKey())
        const order = await placeOrder(host, connection.client, { profile, replaces: await replaced(former) })
        await save({ authority: directoryUrl, url: order.url, key, begunAt })
        return complete(host, order, key, connection)
      }),

    resume: (host, { url, key }, signal) =>
      withClient(host, signal, async (connection) => {
        const order = await findOrder(url, connection.client)
        return order && complete(host, order, key, connection)
      }),

    renewalWindow: (host, pem, signal) =>
      withSession(sessionFor(host, signal), async () => {
        const { renewalInfo } = await directory()
        const id = certificateId(pem)
        if (renewalInfo === undefined || id === undefined) return undefined
        const { data } = await axios.get(`${renewalInfo}/${id}`, { validateStatus: null })
        return windowIn(data)
      }),

    revoke: (host, pem, reason, signal) =>
      withClient(host, signal, async ({ client }) => {
        await client.revokeCertificate(leafOf(pem), { reason: revocationReasons[reason] }).catch(unlessRevoked)
      }),
  }
}

function unlessRevoked(error: unknown): undefined {
  if (!(error instanceof IssueError) || error.type !== 'alreadyRevoked') throw error
}
