// Proves control of the host over HTTP-01 (RFC 8555, section 8.3).
import type { Authorization, Order } from 'acme-client'
import { IssueError } from '../certificates/issuer.ts'
import { type Connection, poll } from './connection.ts'
import { issueError, type ProblemDocument } from './problem.ts'

/** Presents the challenge until the authority has decided. */
export async function authorize(host: string, order: Order, { client, challenges, signal }: Connection): Promise<void> {
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
