// What provokes each answer of each operation, with the sample as the orders.
import { authorization } from '../fixtures/app.ts'

export interface Asked {
  method: string
  url: string
  headers: Record<string, string>
}

const ask = (method: string, path: string, headers = {}): Asked => ({
  method,
  url: `/v1${path}`,
  headers: { authorization, ...headers },
})
const list = (headers = {}) => ask('GET', '/store/orders', headers)
const cancel = (orderId: number | string) => ask('DELETE', `/store/orders/${orderId}`)
const pet = (petId: number | string) => ask('GET', `/pets/${petId}`)

/** What every operation answers in the same way. */
const always = (asked: Asked) => ({
  401: [
    { ...asked, headers: {} },
    { ...asked, headers: { authorization: 'Bearer wrong' } },
  ],
  default: [
    { ...asked, method: 'PUT' },
    { ...asked, headers: { authorization, accept: 'text/html' } },
  ],
})

/** By operationId, then by status as the document declares it. */
export const requests: Record<string, Record<string, Asked[]>> = {
  listOrders: { 200: [list()], 304: [list({ 'if-none-match': '*' })], ...always(list()) },
  cancelOrder: {
    204: [cancel(1009)],
    400: [cancel('x')],
    404: [cancel(1), cancel(1004)],
    409: [cancel(1006)],
    ...always(cancel(1009)),
  },
  getPetById: { 200: [pet(504)], 400: [pet('x')], 404: [pet(1)], ...always(pet(504)) },
}
