// Orders at an authority (RFC 8555, section 7.4): placed, found again, and completed.
import { type Client, crypto, type Order } from 'acme-client'
import { readCertificate } from '../certificates/certificate.ts'
import { IssueError } from '../certificates/issuer.ts'
import { authorize } from './authorize.ts'
import { type Connection, poll } from './connection.ts'
import { issueError, type ProblemDocument } from './problem.ts'

interface OrderExtensions {
  /** RFC 9773, section 5. */
  replaces?: string | undefined
  /** draft-ietf-acme-profiles */
  profile?: string | undefined
}

export async function placeOrder(host: string, client: Client, { replaces, profile }: OrderExtensions): Promise<Order> {
  const order = { identifiers: [{ type: 'dns' as const, value: host }], ...(profile && { profile }) }
  if (replaces === undefined) return client.createOrder(order)
  const extended: Parameters<Client['createOrder']>[0] & OrderExtensions = { ...order, replaces }
  return client.createOrder(extended).catch((error) => {
    if (cannotReplace(error)) return client.createOrder(order) // which counts as a new one
    throw error
  })
}

/** It has been replaced already, or the authority does not know it, which Pebble calls an error of the server. */
function cannotReplace(error: unknown): boolean {
  return error instanceof IssueError && (error.problem.code === 'ca_refused' || error.type === 'serverInternal')
}

/** Undefined when the authority no longer knows the order, or its account. */
export async function findOrder(url: string, client: Client): Promise<Order | undefined> {
  const order = await client.getOrder({ url } as Order).catch(unlessGone)
  return order?.status === 'invalid' ? undefined : order
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof IssueError) || error.problem.code !== 'ca_refused') throw error
}

/** @returns key and chain */
export async function completeOrder(host: string, order: Order, key: string, connection: Connection): Promise<string> {
  const { client, signal } = connection
  if (order.status === 'pending') await authorize(host, order, connection)
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
