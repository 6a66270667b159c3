// Places, finds, validates (over HTTP-01) and completes orders at an authority (RFC 8555, section 7.4).
import { IssueError } from '../certificates/issuer.ts'
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

/** The states in which the authority is still working (RFC 8555, section 7.1.6). */
const pendingStates = ['pending', 'ready', 'processing']

export async function placeOrder(
  host: string,
  { operation, post }: AcmeSession,
  { replaces, profile }: OrderExtensions,
): Promise<Resource> {
  const url = await operation('newOrder')
  const order = { identifiers: [{ type: 'dns', value: host }], ...(profile && { profile }) }
  const placed = await post(url, { ...order, ...(replaces && { replaces }) }).catch((error) => {
    if (replaces && cannotReplace(error)) return post(url, order) // which counts as a new one
    throw error
  })
  if (!placed.isCreated) throw unexpected('order')
  return placed
}

/** It has been replaced already, or the authority does not know it, which Pebble calls an error of the server. */
function cannotReplace(error: unknown): boolean {
  return error instanceof IssueError && (error.problem.code === 'ca_refused' || error.type === 'serverInternal')
}

/** Undefined when the authority no longer knows the order, or its account. */
export async function findOrder(url: string, { post }: AcmeSession): Promise<Resource | undefined> {
  const order = await post(url).catch((error) => {
    if (!(error instanceof IssueError) || error.problem.code !== 'ca_refused') throw error
    return undefined
  })
  return order?.body.status === 'invalid' ? undefined : order
}

/** @param request makes the certificate signing request, in DER @returns the chain, as PEM */
export async function completeOrder(
  host: string,
  { url, body }: Resource,
  request: () => Buffer,
  challenges: ChallengeStore,
  session: AcmeSession,
): Promise<string> {
  const status = statusOf(body)
  if (status === 'pending') await authorize(host, body, challenges, session)
  if (status === 'pending' || status === 'ready') {
    await session.post(urlIn(body, 'finalize'), { csr: request().toString('base64url') })
  }
  const issued = await poll(url, session)
  if (issued.status !== 'valid') throw issueError(host, issued.error as ProblemDocument)
  const { text: chain } = await session.post(urlIn(issued, 'certificate'))
  if (!chain.includes('-----BEGIN CERTIFICATE-----')) throw unexpected('certificate')
  return chain
}

/** Presents the challenge until the authority has decided (RFC 8555, section 8.3). */
async function authorize(host: string, order: Resource['body'], challenges: ChallengeStore, session: AcmeSession) {
  const [url] = Array.isArray(order.authorizations) ? order.authorizations : []
  const authorization = urlIn({ authorization: url }, 'authorization')
  const { body } = await session.post(authorization)
  if (statusOf(body) === 'valid') return
  const { url: challengeUrl, token } = challengesOf(body).find(({ type }) => type === 'http-01') ?? {}
  if (challengeUrl === undefined || token === undefined)
    throw new IssueError({ code: 'ca_refused', detail: 'The authority offers no HTTP-01 challenge.' })
  await challenges.set(token, await session.keyAuthorization(token))
  try {
    await session.post(challengeUrl, {})
    const decided = await poll(authorization, session)
    if (decided.status !== 'valid') throw issueError(host, challengesOf(decided).find(({ error }) => error)?.error)
  } finally {
    await challenges.delete(token)
  }
}

/** @throws IssueError if there is none */
function statusOf({ status }: Resource['body']): string {
  if (typeof status === 'string') return status
  throw unexpected('"status"')
}

function challengesOf({ challenges }: Resource['body']): Challenge[] {
  return Array.isArray(challenges) ? challenges : []
}

/** Polls until the authority has decided. */
async function poll(url: string, { post, signal }: AcmeSession): Promise<Resource['body']> {
  const pause = growingPauses(250, 5_000, signal)
  for (;;) {
    const { body } = await post(url)
    if (!pendingStates.includes(statusOf(body))) return body
    await pause()
  }
}
