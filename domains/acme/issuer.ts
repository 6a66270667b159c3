// Issues certificates from an ACME authority (RFC 8555), each for one host, validated over HTTP-01.
import { createPrivateKey } from 'node:crypto'
import { Agent } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { type Authorization, axios, Client, crypto, type Order } from 'acme-client'
import { leafOf, originOf, readCertificate, withOrigin } from '../certificates/certificate.ts'
import { IssueError, type Issuer, type RenewalWindow, revocationReasons } from '../certificates/issuer.ts'
import { issueError, type ProblemDocument } from './problem.ts'
import { certificateId } from './renewal-info.ts'
import { withSession } from './session.ts'

/** Stores the account key of each authority, as PEM. */
export interface AccountKeyStore {
  load(directoryUrl: string): Promise<string | undefined>
  save(directoryUrl: string, pem: string): Promise<void>
}

/** The key authorizations served below `/.well-known/acme-challenge/`, by token. A Map will do. */
export interface ChallengeStore {
  set(token: string, keyAuthorization: string): unknown
  delete(token: string): unknown
}

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
}

/** The states in which the authority is still working (RFC 8555, section 7.1.6). */
const pendingStates = ['pending', 'ready', 'processing']
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

/** Errors of the account key store pass through unchanged. */
export function acmeIssuer(options: AcmeOptions): Issuer {
  const { directoryUrl, email, accountKey, challenges, profile, externalAccount, ca, timeoutMs = 300_000 } = options
  const httpsAgent = new Agent({ ca })
  let key: Promise<string> | undefined

  /** Concurrent first issuances share one key. */
  function loadKey(): Promise<string> {
    key ??= loadOrCreateKey(accountKey, directoryUrl).catch((error) => {
      key = undefined
      throw error
    })
    return key
  }

  /** A new client for each session, so that an authority that has lost the account gets it again. */
  async function withClient<T>(host: string, signal: AbortSignal, run: (connection: Connection) => Promise<T>) {
    const binding = externalAccount && { externalAccountBinding: externalAccount }
    const client = new Client({ directoryUrl, accountKey: await loadKey(), ...binding })
    return withSession({ host, httpsAgent, signal, timeoutMs }, async (signal) => {
      await client.createAccount({ termsOfServiceAgreed: true, contact: email ? [`mailto:${email}`] : [] })
      return run({ client, challenges, signal })
    })
  }

  async function complete(host: string, order: Order, key: string, connection: Connection): Promise<string> {
    if (order.status === 'pending') await authorize(host, order, connection)
    const pem = await fetchCertificate(host, order, key, connection)
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
      withSession({ host: '', httpsAgent, signal, timeoutMs }, async () => {
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
        const order = await connection.client.getOrder({ url } as Order).catch(unlessGone)
        return order && order.status !== 'invalid' ? complete(host, order, key, connection) : undefined
      }),

    renewalWindow: (host, pem, signal) =>
      withSession({ host, httpsAgent, signal, timeoutMs }, async () => {
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

interface Directory {
  renewalInfo?: string
  meta?: { caaIdentities?: string[] }
}

interface OrderExtensions {
  /** RFC 9773, section 5. */
  replaces?: string | undefined
  /** draft-ietf-acme-profiles */
  profile?: string | undefined
}

async function placeOrder(host: string, client: Client, { replaces, profile }: OrderExtensions): Promise<Order> {
  const order = { identifiers: [{ type: 'dns' as const, value: host }], ...(profile && { profile }) }
  if (replaces === undefined) return client.createOrder(order)
  const extended: Parameters<Client['createOrder']>[0] & OrderExtensions = { ...order, replaces }
  return client.createOrder(extended).catch((error) => {
    // It has been replaced already, or the authority no longer knows it: the order counts as a new one.
    if (error instanceof IssueError && error.problem.code === 'ca_refused') return client.createOrder(order)
    throw error
  })
}

function windowIn({ suggestedWindow: { start, end } = {} }: { suggestedWindow?: Partial<RenewalWindow> }) {
  if (start === undefined || end === undefined || !(Date.parse(start) <= Date.parse(end))) return undefined
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
}

/** The authority no longer knows the order, or its account. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof IssueError) || error.problem.code !== 'ca_refused') throw error
}

function unlessRevoked(error: unknown): undefined {
  if (!(error instanceof IssueError) || error.type !== 'alreadyRevoked') throw error
}

async function loadOrCreateKey(store: AccountKeyStore, directoryUrl: string): Promise<string> {
  const stored = await store.load(directoryUrl)
  if (stored !== undefined && isKey(stored)) return stored
  const created = String(await crypto.createPrivateEcdsaKey())
  await store.save(directoryUrl, created)
  return created
}

/** A broken key is replaced, and a new account with it. */
function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem) !== undefined
  } catch {
    return false
  }
}

interface Connection {
  client: Client
  challenges: ChallengeStore
  signal: AbortSignal
}

/** Presents the challenge until the authority has decided. */
async function authorize(host: string, order: Order, { client, challenges, signal }: Connection) {
  const getAuthorization = async () => (await client.getAuthorizations(order))[0] as Authorization
  const authorization = await getAuthorization()
  if (authorization.status === 'valid') return
  const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
  if (!challenge) throw new IssueError({ code: 'ca_refused', detail: 'The authority offers no HTTP-01 challenge.' })

  await challenges.set(challenge.token, await client.getChallengeKeyAuthorization(challenge))
  try {
    await client.completeChallenge(challenge)
    const { status, challenges: tried } = await poll(getAuthorization, signal)
    if (status !== 'valid') throw issueError(host, tried.find(({ error }) => error)?.error as ProblemDocument)
  } finally {
    await challenges.delete(challenge.token)
  }
}

/** @returns key and chain */
async function fetchCertificate(host: string, order: Order, key: string, { client, signal }: Connection) {
  if (order.status === 'pending' || order.status === 'ready') {
    const [, request] = await crypto.createCsr({ altNames: [host] }, key)
    await client.finalizeOrder(order, request)
  }
  const issued = await poll(() => client.getOrder(order), signal)
  if (issued.status !== 'valid') throw issueError(host, issued.error as ProblemDocument)
  const pem = `${key}${await client.getCertificate(issued)}`
  const { hosts, notAfter } = readCertificate(pem)
  if (hosts.includes(host) && Date.parse(notAfter) > Date.now()) return pem
  throw new IssueError({ code: 'ca_refused', detail: `The certificate is for ${hosts.join(', ')} until ${notAfter}.` })
}

/** Polls until the authority has decided. */
async function poll<Item extends { status: string }>(get: () => Promise<Item>, signal: AbortSignal): Promise<Item> {
  let item = await get()
  for (let wait = FIRST_WAIT_MS; pendingStates.includes(item.status); wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await setTimeout(wait, undefined, { signal })
    item = await get()
  }
  return item
}
