// Issues certificates from an ACME authority (RFC 8555), each for one host, validated over HTTP-01.
import { Agent } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { type Authorization, axios, Client, crypto, type Order } from 'acme-client'
import { readCertificate } from '../certificates/certificate.ts'
import { IssueError, type Issuer } from '../certificates/issuer.ts'
import { issueError, type ProblemDocument } from './problem.ts'
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
  const { directoryUrl, email, accountKey, challenges, ca, timeoutMs = 300_000 } = options
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

  return {
    identities: (signal) =>
      withSession({ host: '', httpsAgent, signal, timeoutMs }, async () => {
        const { data } = await axios.get(directoryUrl, { validateStatus: null })
        return data.meta?.caaIdentities ?? []
      }),

    async issue(host, signal) {
      // A new client for each issuance, so that an authority that has lost the account gets it again.
      const client = new Client({ directoryUrl, accountKey: await loadKey() })
      return withSession({ host, httpsAgent, signal, timeoutMs }, async (signal) => {
        await client.createAccount({ termsOfServiceAgreed: true, contact: email ? [`mailto:${email}`] : [] })
        const order = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] })
        await authorize(host, order, { client, challenges, signal })
        return fetchCertificate(host, order, { client, signal })
      })
    },
  }
}

async function loadOrCreateKey(store: AccountKeyStore, directoryUrl: string): Promise<string> {
  const stored = await store.load(directoryUrl)
  if (stored !== undefined) return stored
  const created = String(await crypto.createPrivateEcdsaKey())
  await store.save(directoryUrl, created)
  return created
}

interface Connection {
  client: Client
  signal: AbortSignal
}

/** Presents the challenge until the authority has decided. */
async function authorize(host: string, order: Order, connection: Connection & { challenges: ChallengeStore }) {
  const { client, challenges, signal } = connection
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
async function fetchCertificate(host: string, order: Order, { client, signal }: Connection): Promise<string> {
  const key = await crypto.createPrivateEcdsaKey()
  const [, request] = await crypto.createCsr({ altNames: [host] }, key)
  await client.finalizeOrder(order, request)
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
