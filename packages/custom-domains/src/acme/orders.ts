// Places, finds, validates (over HTTP-01) and completes orders at an authority (RFC 8555, section 7.4).
import { IssueError, OrderEndedError, type PendingOrder } from '../certificates/issuer.ts'
import { growingPauses } from '../time.ts'
import { type AcmeSession, type Resource, unexpected, urlIn } from './client.ts'
import { issueError, type ProblemDocument } from './problem.ts'

/** The key authorizations served below `/.well-known/acme-challenge/`, by token. A Map will do. */
export interface ChallengeStore {
  set(token: string, keyAuthorization: string): unknown
  delete(token: string): unknown
}

interface OrderExtensions {
  /** RFC 9773, section 5. */
  replaces?: string | undefined
  /** draft-ietf-acme-profiles */
  profile?: string | undefined
}

interface Challenge {
  type?: string
  url?: string
  token?: string
  error?: ProblemDocument
}

/** An order that states no end is dropped after this: Let's Encrypt keeps one for as long. */
const USUAL_LIFE_MS = 7 * 24 * 3_600_000
/** How long an attempt polls; an order that takes longer is completed by a later one. */
const PATIENCE_MS = 30_000

export async function placeOrder(
  host: string,
  { operation, post }: AcmeSession,
  { replaces, profile }: OrderExtensions,
): Promise<{ order: Resource; isExempt: boolean }> {
  const url = await operation('newOrder')
  const order = { identifiers: [{ type: 'dns', value: host }], ...(profile && { profile }) }
  let isExempt = replaces !== undefined
  const placed = await post(url, { ...order, ...(replaces && { replaces }) }).catch((error) => {
    if (!replaces || !cannotReplace(error)) throw error
    isExempt = false // it counts as a new one
    return post(url, order)
  })
  if (!placed.isCreated) throw unexpected('order')
  return { order: placed, isExempt }
}

/** It has been replaced already, or the authority does not know it, which Pebble calls an error of the server. */
function cannotReplace(error: unknown): boolean {
  return error instanceof IssueError && (error.problem.code === 'ca_refused' || error.type === 'serverInternal')
}

/**
 * Undefined once the authority has ended the order, it has expired, or its account is gone. No other response ends it:
 * the authority's replicas may lag behind, and a proxy may respond in its place.
 */
export async function findOrder(
  { url, account, begunAt, expires }: PendingOrder,
  now: Date,
  session: AcmeSession,
): Promise<Resource | undefined> {
  if (account !== undefined && account !== (await session.account())) return undefined
  const end = expires ? Date.parse(expires) : Date.parse(begunAt) + USUAL_LIFE_MS
  const hasExpired = end <= now.getTime()
  const order = await session.post(url).catch((error) => {
    if (hasExpired && error instanceof IssueError) return undefined
    throw error
  })
  const status = order?.body.status
  return status === 'invalid' || (hasExpired && status !== 'valid') ? undefined : order
}

/** Has the host validated, if the order still needs it. @throws OrderEndedError if the authority has ended the order */
export async function validateOrder(
  host: string,
  { body }: Resource,
  challenges: ChallengeStore,
  session: AcmeSession,
): Promise<void> {
  if (statusOf(body) === 'pending') await authorize(host, body, challenges, session)
}

/**
 * Waits until the order is ready, and then for its certificate.
 * @param request makes the certificate signing request, in DER
 * @returns the chain, as PEM
 * @throws OrderEndedError if the authority has ended the order
 */
export async function completeOrder(
  host: string,
  { url, ...placed }: Resource,
  request: () => Buffer,
  session: AcmeSession,
): Promise<string> {
  let order: Polled = placed
  if (statusOf(order.body) === 'pending') order = await poll(url, ['pending'], session)
  if (statusOf(order.body) === 'ready') {
    const csr = request().toString('base64url')
    order = await session.post(urlIn(placed.body, 'finalize'), { csr }).catch((error) => {
      throw isOfKey(error) ? new OrderEndedError(error.problem) : error
    })
  }
  const { body } = await poll(url, ['pending', 'ready', 'processing'], session, order)
  if (body.status !== 'valid') throw ended(host, body.error as ProblemDocument)
  const { text: chain } = await session.post(urlIn(body, 'certificate'))
  if (!wholeChain.test(chain)) throw unexpected('certificate')
  return chain
}

/** Another attempt would send the same key and request. */
function isOfKey(error: unknown): error is IssueError {
  return error instanceof IssueError && ['badCSR', 'badPublicKey'].includes(error.type)
}

const wholeChain = /-----BEGIN CERTIFICATE-----.*-----END CERTIFICATE-----\s*$/s

function ended(host: string, document: ProblemDocument | undefined): OrderEndedError {
  return new OrderEndedError(issueError(host, document).problem)
}

/** Presents the challenge until the authority has decided (RFC 8555, section 8.3). */
async function authorize(host: string, order: Resource['body'], challenges: ChallengeStore, session: AcmeSession) {
  const [url] = Array.isArray(order.authorizations) ? order.authorizations : []
  const authorization = urlIn({ authorization: url }, 'authorization')
  const { body } = await session.post(authorization)
  const status = statusOf(body)
  if (status === 'valid') return
  if (status !== 'pending') throw ended(host, errorIn(body))
  const { url: challengeUrl, token } = challengesOf(body).find(({ type }) => type === 'http-01') ?? {}
  if (challengeUrl === undefined || token === undefined)
    throw new IssueError({ code: 'ca_refused', detail: 'The authority offers no HTTP-01 challenge.' })
  await challenges.set(token, await session.keyAuthorization(token))
  try {
    await session.post(challengeUrl, {})
    const { body: decided } = await poll(authorization, ['pending'], session)
    if (decided.status !== 'valid') throw ended(host, errorIn(decided))
  } finally {
    await challenges.delete(token)
  }
}

/** @throws IssueError if there is none */
function statusOf({ status }: Resource['body']): string {
  if (typeof status === 'string') return status
  throw unexpected('"status"')
}

function errorIn(authorization: Resource['body']): ProblemDocument | undefined {
  return challengesOf(authorization).find(({ error }) => error)?.error
}

function challengesOf({ challenges }: Resource['body']): Challenge[] {
  return Array.isArray(challenges) ? challenges : []
}

type Polled = Pick<Resource, 'body' | 'retryAfterMs'>

/** Polls while the resource has one of these states, as often as the authority asks. @throws IssueError after a while */
async function poll(
  url: string,
  states: readonly string[],
  { post, signal }: AcmeSession,
  first?: Polled,
): Promise<Polled> {
  const pause = growingPauses(250, 5_000, signal)
  const end = performance.now() + PATIENCE_MS
  let polled = first ?? (await post(url))
  while (states.includes(statusOf(polled.body))) {
    if (performance.now() + polled.retryAfterMs > end) {
      const detail = `The order is still ${statusOf(polled.body)}.`
      throw new IssueError({ code: 'ca_unavailable', detail }, polled.retryAfterMs, '', 'unfinished')
    }
    await pause(polled.retryAfterMs)
    polled = await post(url)
  }
  return polled
}
