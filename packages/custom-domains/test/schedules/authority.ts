// An ACME authority in memory. Its sessions have the interface of real ones, and each of its responses is a task.
import type { Resource, withSession } from '../../src/acme/client.ts'
import { certificateId } from '../../src/acme/renewal-info.ts'
import { readLeaf } from '../../src/certificates/certificate.ts'
import { IssueError } from '../../src/certificates/issuer.ts'
import { DAY, HOUR } from '../fixtures/clock.ts'
import { chainFor } from './certificates.ts'
import type { Owner, Scheduler } from './scheduler.ts'

export const origin = 'https://ca.test'

export interface Order {
  host: string
  at: number
  status: 'pending' | 'ready' | 'valid' | 'invalid'
  /** Of a certificate that the authority has announced to revoke. */
  isRolled?: boolean
  /** The database may have lost what it knew of the order. */
  isForgotten?: boolean
  token: string
  certificate?: string
  /** When that ends. */
  notAfter?: string | undefined
  /** Of the certificate (RFC 9773, section 4.1). */
  certificateId?: string | undefined
}

interface Payload {
  identifiers?: { value: string }[]
  csr?: string
}

export interface AuthorityOptions {
  /** Of certificates, in milliseconds. */
  life: number
  scheduler: Scheduler
  /** What an instance that can be reached responds with at port 80. */
  visit(order: Order, by: Owner): string | undefined
  onOrder(host: string, by: Owner): void
  /** @param request in DER */
  onFinalize(order: Order, request: Buffer): void
}

export type Answer = 'good' | 'limited' | 'down'

export function authority({ life, scheduler, visit, onOrder, onFinalize }: AuthorityOptions) {
  const orders: Order[] = []
  const state = { answer: 'good' as Answer }

  /** Orders expire after a week, unless they are complete. */
  function orderAt(url: string): Order {
    const order = orders[Number(url.split('/').at(-1))] as Order
    const age = scheduler.now().getTime() - (order?.at ?? 0)
    if (order && order.status !== 'valid' && age >= 7 * DAY) order.status = 'invalid'
    return order
  }

  /** The resource at a path. */
  async function respond(owner: Owner, path: string, payload: Payload = {}) {
    const [, name, number] = path.split('/')
    const url = `${origin}/order/${number}`
    const order = orderAt(url)
    switch (name) {
      case 'new-order': {
        if (state.answer === 'limited') throw new IssueError({ code: 'rate_limited', detail: 'Later.' }, HOUR)
        const host = payload.identifiers?.[0]?.value as string
        onOrder(host, owner)
        orders.push({ host, at: scheduler.now().getTime(), status: 'pending', token: `token-${orders.length}` })
        return resource(`${origin}/order/${orders.length - 1}`, orderBody(orders.length - 1))
      }
      case 'order':
        return resource(url, orderBody(Number(number)))
      case 'authorization': {
        const challenges = [{ type: 'http-01', url: `${origin}/challenge/${number}`, token: order.token }]
        const status = order.status === 'ready' ? 'valid' : order.status
        return resource(path, { status, challenges })
      }
      case 'challenge':
        if (order.status === 'pending')
          order.status = visit(order, owner) === `${order.token}.key` ? 'ready' : 'invalid'
        return resource(path, {})
      case 'finalize': {
        if (order.status !== 'ready') throw new IssueError({ code: 'ca_refused', detail: 'The order is not ready.' })
        const request = Buffer.from(String(payload.csr), 'base64url')
        onFinalize(order, request)
        order.certificate = await chainFor(request, order.host, scheduler.now(), life)
        order.certificateId = certificateId(order.certificate)
        order.notAfter = readLeaf(order.certificate)?.notAfter
        order.status = 'valid'
        return resource(url, orderBody(Number(number)))
      }
      default:
        return { ...resource(path, {}), text: order.certificate as string }
    }
  }

  function orderBody(number: number) {
    const { status, at } = orders[number] as Order
    return {
      status,
      expires: new Date(at + 7 * DAY).toISOString(),
      authorizations: [`${origin}/authorization/${number}`],
      finalize: `${origin}/finalize/${number}`,
      certificate: `${origin}/certificate/${number}`,
    }
  }

  /** The window of a certificate; in the past once it is to be revoked. */
  function renewalInfo(id: string): Resource {
    const now = scheduler.now().getTime()
    const order = orders.find(({ certificateId }) => certificateId === id)
    const start = order?.isRolled ? now - DAY : (order?.at ?? now) + life / 3
    const suggestedWindow = { start: new Date(start).toISOString(), end: new Date(start + HOUR).toISOString() }
    return { ...resource('', { suggestedWindow }), retryAfterMs: 6 * HOUR }
  }

  return {
    orders,
    state,
    orderAt,
    roll(host: string) {
      for (const order of orders) if (order.host === host) order.isRolled = true
    },
    /** Sessions of one instance. */
    sessionsOf(owner: Owner): typeof withSession {
      return async (_host, { keys, onAccount }, signal, run) => {
        let account: Promise<void> | undefined
        async function register() {
          await keys.current()
          await onAccount?.(`${origin}/account/1`)
        }
        const answering = (label: string, effect: () => Resource | Promise<Resource>) =>
          scheduler.call(
            owner,
            label,
            () => {
              if (state.answer === 'down') throw new IssueError({ code: 'ca_unavailable', detail: 'It is down.' })
              return effect()
            },
            { signal },
          )
        const session = {
          signal,
          operation: async (name: string) => (name === 'newOrder' ? `${origin}/new-order` : `${origin}/revoke`),
          directory: async () => resource(origin, { renewalInfo: `${origin}/renewal-info` }),
          get: async (url: string) =>
            answering('renewal info', () => renewalInfo(url.slice(`${origin}/renewal-info/`.length))),
          async post(url: string, payload?: object) {
            account ??= register()
            await account
            const path = url.slice(origin.length)
            if (path === '/revoke') return answering('revoke', () => resource(url, {}))
            return answering(`${payload ? 'POST' : 'GET'} ${path}`, () => respond(owner, path, payload))
          },
          account: async () => `${origin}/account/1`,
          keyAuthorization: async (token: string) => `${token}.key`,
        }
        return run(session).catch((error) => {
          throw signal.aborted ? new IssueError({ code: 'ca_unavailable', detail: 'Too late.' }) : error
        })
      }
    },
  }
}

function resource(url: string, body: Resource['body']): Resource {
  return { url, isCreated: true, body, text: '', retryAfterMs: 0 }
}
