// The requests through the proxy, in order: one for every response of the document, and some more.
import { answers, authorized } from '../answers.js'

/**
 * @typedef {object} Exchange
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string | undefined} [body]
 * @property {number} status of the response
 * @property {boolean} isValid whether the request matches the document
 */

const noKey = { Authorization: '' }

/** @type {[method: string, path: string, status: number, headers?: Record<string, string>][]} */
const validOnes = [
  ['GET', '/store/orders?unknown=1', 200],
  ['DELETE', '/store/orders/1007', 404],
  ['DELETE', '/store/orders/0', 404],
  ['DELETE', '/store/orders/-1', 404],
  ['DELETE', '/store/orders/01009', 400],
]

/** @type {typeof validOnes} */
const invalidOnes = [
  ['GET', '/store/orders', 401, noKey],
  ['DELETE', '/store/orders/1009', 401, noKey],
  ['GET', '/pets/504', 401, noKey],
  ['POST', '/store/orders', 405],
  ['PUT', '/store/orders/1009', 405],
  ['GET', '/nothing', 404],
]

/** @param {boolean} isValid @returns {(exchange: typeof validOnes[number]) => Exchange} */
const exchangeOf =
  (isValid) =>
  ([method, path, status, headers]) => ({ method, path, headers: { ...authorized, ...headers }, status, isValid })

/** @type {Exchange[]} */
export const traffic = [
  ...answers.map((answer) => ({ ...answer, isValid: ![400, 405].includes(answer.status) })),
  ...validOnes.map(exchangeOf(true)),
  ...invalidOnes.map(exchangeOf(false)),
]
