// What provokes each answer of each operation, with the sample as the orders.
import { authorization, readOnlyAuthorization } from '../fixtures/app.ts'

export interface Asked {
  method: string
  path: string
  headers: Record<string, string>
  /**
   * How the server is while it is asked: `impatient` waits no longer for the body, `limited` has no quota left, and
   * `wary` has seen too many invalid keys.
   */
  server?: 'failing' | 'unreachable' | 'impatient' | 'closing' | 'limited' | 'wary'
}

/** A page of this origin asks, so that the headers of CORS are among the answers' as well. */
export const origin = 'https://docs.example.com'

const usual = { host: 'localhost', origin, authorization }
const large = 'x'.repeat(20_000)
const ask = (method: string, path: string, headers = {}): Asked => {
  return { method, path: `/v1${path}`, headers: { ...usual, ...headers } }
}
const list = (headers = {}) => ask('GET', '/store/orders', headers)
const cancel = (orderId: number | string, headers = {}) => ask('DELETE', `/store/orders/${orderId}`, headers)
const pet = (petId: number | string) => ask('GET', `/pets/${petId}`)

/** What every operation answers in the same way. */
function always(asked: Asked): Record<string, Asked[]> {
  const adding = (headers: Record<string, string>) => ({ ...asked, headers: { ...asked.headers, ...headers } })
  const { authorization: _, ...keyless } = asked.headers
  return {
    400: [adding({ host: 'a b' })],
    401: [{ ...asked, headers: keyless }, adding({ authorization: 'Bearer wrong' })],
    405: [{ ...asked, method: 'PUT' }],
    406: [adding({ accept: 'text/html' })],
    408: [{ ...adding({ 'content-length': '2' }), server: 'impatient' }],
    412: [adding({ 'if-match': '"a"' })],
    413: [adding({ 'content-length': '2000000' })],
    414: [{ ...asked, path: `${asked.path}?${large}` }],
    417: [adding({ expect: 'tea' })],
    429: [
      { ...asked, server: 'limited' },
      { ...adding({ authorization: 'Bearer wrong' }), server: 'wary' },
    ],
    431: [adding({ 'x-large': large })],
    500: [{ ...asked, server: 'failing' }],
    501: [{ ...asked, method: 'FOO' }],
    503: [
      { ...asked, server: 'closing' },
      { ...asked, server: 'unreachable' },
    ],
  }
}

/** An operation's own answers, and those to what it shares with the others. */
function operation(asked: Asked, own: Record<string, Asked[]>): Record<string, Asked[]> {
  const shared = always(asked)
  return { ...shared, ...own, 400: [...(own[400] ?? []), ...(shared[400] ?? [])] }
}

/** By operationId, then by status. */
export const requests: Record<string, Record<string, Asked[]>> = {
  listOrders: operation(list(), {
    200: [list(), list({ 'accept-encoding': 'gzip' })],
    304: [list({ 'if-none-match': '*' })],
  }),
  cancelOrder: operation(cancel(1007), {
    204: [cancel(1009)],
    400: [cancel('x')],
    403: [cancel('x', { authorization: readOnlyAuthorization })],
    404: [cancel(1), cancel(1004)],
    409: [cancel(1006)],
  }),
  getPetById: operation(pet(504), { 200: [pet(504)], 400: [pet('x')], 404: [pet(1)] }),
}
