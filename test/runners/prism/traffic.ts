// The requests through the proxy, in order: one for every response of the document, and some more.
import { answers, authorized } from '../answers.ts'

export interface Exchange {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
  /** The status of the response. */
  status: number
  /** Whether the request matches the document. */
  isValid: boolean
}

const noKey = { Authorization: '' }

const validOnes: [method: string, path: string, status: number, headers?: Record<string, string>][] = [
  ['GET', '/store/orders?unknown=1', 200],
  ['DELETE', '/store/orders/1007', 404],
  ['DELETE', '/store/orders/0', 404],
  ['DELETE', '/store/orders/-1', 404],
  ['DELETE', '/store/orders/01009', 400],
]

const invalidOnes: typeof validOnes = [
  ['GET', '/store/orders', 401, noKey],
  ['DELETE', '/store/orders/1009', 401, noKey],
  ['GET', '/pets/504', 401, noKey],
  ['POST', '/store/orders', 405],
  ['PUT', '/store/orders/1009', 405],
  ['GET', '/nothing', 404],
]

const exchangeOf =
  (isValid: boolean): ((exchange: (typeof validOnes)[number]) => Exchange) =>
  ([method, path, status, headers]) => ({ method, path, headers: { ...authorized, ...headers }, status, isValid })

export const traffic: Exchange[] = [
  ...answers.map((answer) => ({ ...answer, isValid: ![400, 405].includes(answer.status) })),
  ...validOnes.map(exchangeOf(true)),
  ...invalidOnes.map(exchangeOf(false)),
]
