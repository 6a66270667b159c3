// Certificates from an ACME authority (RFC 8555), each for one host and proved over HTTP-01.
import { Agent } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { type Authorization, axios, Client, crypto, type Order } from 'acme-client'
import { IssueError, type Issuer, readCertificate } from '../certificates/certificate.ts'
import { type ProblemDocument, refusal } from './problem.ts'
import { converse } from './session.ts'

/** Keeps the key of the account at each authority, as PEM. */
export interface AccountKeyStore {
  load(directoryUrl: string): Promise<string | undefined>
  save(directoryUrl: string, pem: string): Promise<void>
}

/** What is answered below `/.well-known/acme-challenge/`, by token: a Map is one. */
export interface ChallengeStore {
  set(token: string, keyAuthorization: string): unknown
  delete(token: string): unknown
}

export interface AcmeOptions {
  directoryUrl: string
  /** Where the authority may write to. */
  email?: string | undefined
  accountKey: AccountKeyStore
  challenges: ChallengeStore
  /** Roots (PEM) that the authority's own HTTPS is checked with, instead of Node's. */
  ca?: string | undefined
  /** For an order as a whole. */
  timeoutMs?: number
}

/** The states in which the authority has work to do (RFC 8555, section 7.1.6). */
const undecided = ['pending', 'ready', 'processing']
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

/** What the account key store rejects with is passed on as it is. */
export function acmeIssuer(options: AcmeOptions): Issuer {
  const { directoryUrl, email, accountKey, challenges, ca, timeoutMs = 300_000 } = options
  const httpsAgent = new Agent({ ca })
  let key: Promise<string> | undefined

  /** Two orders that are the first make one key. */
  function loadKey(): Promise<string> {
    key ??= loadOrMakeKey(accountKey, directoryUrl).catch((error) => {
      key = undefined
      throw error
    })
    return key
  }

  return {
    identities: (signal) =>
      converse({ host: '', httpsAgent, signal, timeoutMs }, async () => {
        const { data } = await axios.get(directoryUrl, { validateStatus: null })
        return data.meta?.caaIdentities ?? []
      }),

    async issue(host, signal) {
      // The client is new for each order: an authority that has lost the account gets it again.
      const client = new Client({ directoryUrl, accountKey: await loadKey() })
      return converse({ host, httpsAgent, signal, timeoutMs }, async (signal) => {
        await client.createAccount({ termsOfServiceAgreed: true, contact: email ? [`mailto:${email}`] : [] })
        const order = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] })
        await prove(host, order, { client, challenges, signal })
        return fetchCertificate(host, order, { client, signal })
      })
    },
  }
}

async function loadOrMakeKey(store: AccountKeyStore, directoryUrl: string): Promise<string> {
  const kept = await store.load(directoryUrl)
  if (kept !== undefined) return kept
  const made = String(await crypto.createPrivateEcdsaKey())
  await store.save(directoryUrl, made)
  return made
}

interface Session {
  client: Client
  signal: AbortSignal
}

/** Answers the challenge for as long as the authority may ask. */
async function prove(host: string, order: Order, session: Session & { challenges: ChallengeStore }) {
  const { client, challenges, signal } = session
  const authorize = async () => (await client.getAuthorizations(order))[0] as Authorization
  const authorization = await authorize()
  if (authorization.status === 'valid') return
  const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
  if (!challenge) throw new IssueError({ code: 'ca_refused', detail: 'The authority offers no HTTP-01 challenge.' })

  await challenges.set(challenge.token, await client.getChallengeKeyAuthorization(challenge))
  try {
    await client.completeChallenge(challenge)
    const { status, challenges: tried } = await decided(authorize, signal)
    if (status !== 'valid') throw refusal(host, tried.find(({ error }) => error)?.error as ProblemDocument)
  } finally {
    await challenges.delete(challenge.token)
  }
}

/** @returns key and chain */
async function fetchCertificate(host: string, order: Order, { client, signal }: Session): Promise<string> {
  const key = await crypto.createPrivateEcdsaKey()
  const [, request] = await crypto.createCsr({ altNames: [host] }, key)
  await client.finalizeOrder(order, request)
  const issued = await decided(() => client.getOrder(order), signal)
  if (issued.status !== 'valid') throw refusal(host, issued.error as ProblemDocument)
  const pem = `${key}${await client.getCertificate(issued)}`
  const { hosts, notAfter } = readCertificate(pem)
  if (hosts.includes(host) && Date.parse(notAfter) > Date.now()) return pem
  throw new IssueError({ code: 'ca_refused', detail: `The certificate is for ${hosts.join(', ')} until ${notAfter}.` })
}

/** Asks until the authority has decided. */
async function decided<Item extends { status: string }>(ask: () => Promise<Item>, signal: AbortSignal): Promise<Item> {
  let item = await ask()
  for (let wait = FIRST_WAIT_MS; undecided.includes(item.status); wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await setTimeout(wait, undefined, { signal })
    item = await ask()
  }
  return item
}
