// The calls of well-formed requests, each with its valid statuses.
import { METHODS } from 'node:http'
import { pendingOrder } from '../orders.js'

/**
 * @typedef {object} Call
 * @property {string} method
 * @property {string} target
 * @property {'good' | 'wrong' | 'none'} key
 * @property {readonly number[]} statuses
 * @property {readonly import('./message.js').Field[]} [fields]
 * @property {bigint} [order]
 *
 * @typedef {import('../types.js').Source} Source
 */

export const LIST = '/v1/store/orders'
const int64Text = { min: String(-(2n ** 63n) - 1n), max: String(2n ** 63n) }
const malformed = ['1e3', '0x10', '+1', '01', '-0', '1.0', '%20', '%31%', 'x', '1,2', int64Text.min, int64Text.max]
/** CONNECT has its own form. */
const verbs = METHODS.filter((method) => !['CONNECT', 'OPTIONS'].includes(method))
const entityTags = ['"x"', 'W/"x"', '"a", "b"']
const DATE = 'Sat, 01 Jan 2000 00:00:00 GMT'

/** With their weights. @type {readonly (readonly [number, (source: Source) => Call])[]} */
const calls = [
  [3, () => ({ method: 'GET', target: LIST, key: 'good', statuses: [200] })],
  [2, () => ({ method: 'HEAD', target: LIST, key: 'good', statuses: [200] })],
  [2, ({ random }) => ({ ...list(random.pick(['GET', 'HEAD'])), fields: [['If-None-Match', '*']], statuses: [304] })],
  [1, () => ({ ...list('GET'), fields: [['If-None-Match', '"other"']], statuses: [200] })],
  [
    1,
    ({ random }) => ({
      ...list('GET'),
      fields: [['Accept', random.pick(['text/html', 'application/xml'])]],
      statuses: [406],
    }),
  ],
  [1, () => ({ ...list('GET'), fields: [['Expect', 'the-unexpected']], statuses: [417] })],
  [
    8,
    ({ random }) => ({ ...list(random.pick(['GET', 'HEAD'])), key: random.pick(['none', 'wrong']), statuses: [401] }),
  ],
  [24, cancel],
  [6, (source) => ({ ...cancel(source), ...precondition(source) })],
  [3, (source) => ({ ...cancel(source), fields: [['If-Match', '*']] })],
  [8, (source) => ({ ...cancel(source), key: source.random.pick(['none', 'wrong']), statuses: [401] })],
  [5, shipped],
  [5, ({ random }) => unknown(random.int64())],
  [5, ({ random }) => ({ ...unknown(0n), target: `${LIST}/${random.pick(malformed)}`, statuses: [400] })],
  [6, ({ random }) => ({ method: 'GET', target: `/v1/pets/${random.below(400)}`, key: 'good', statuses: [200, 404] })],
  [2, ({ random }) => ({ method: 'GET', target: `/v1/pets/${random.pick(malformed)}`, key: 'good', statuses: [400] })],
  [4, ({ random }) => ({ method: 'GET', target: `/${random.text(9)}`, key: 'none', statuses: [404] })],
  [6, verb],
  [3, ({ random }) => ({ method: 'OPTIONS', target: random.pick([LIST, `${LIST}/1`]), key: 'none', statuses: [204] })],
  [
    0.2,
    ({ random }) => ({ method: 'GET', target: random.pick(['/openapi.json', '/docs']), key: 'none', statuses: [200] }),
  ],
]
/** @param {Source} source @returns {Call} */
export function anyCall(source) {
  return source.random.weighted(calls)(source)
}

/** @param {string} method @returns {Call} */
export function list(method) {
  return { method, target: LIST, key: 'good', statuses: [200] }
}

/** @param {Source} source @returns {Call} */
export function cancel(source) {
  const order = pendingOrder(source)
  return { method: 'DELETE', target: `${LIST}/${order}`, key: 'good', statuses: [204, 404], order }
}

/** @param {Source} source @returns {Call} */
function shipped({ world, random }) {
  const order = random.pick([...world.orders.shipped])
  return { method: 'DELETE', target: `${LIST}/${order}`, key: 'good', statuses: [409], order }
}

/** @param {bigint} order @returns {Call} */
function unknown(order) {
  return { method: 'DELETE', target: `${LIST}/${order}`, key: 'good', statuses: [404], order }
}

/** Preconditions that always fail: the list's ETag is not that of an order. @param {Source} source @returns {Pick<Call, 'fields' | 'statuses'>} */
function precondition({ random }) {
  const field = random.pick([
    /** @type {const} */ (['If-Match', random.pick(entityTags)]),
    /** @type {const} */ (['If-Unmodified-Since', DATE]),
  ])
  return { fields: [field], statuses: [412, 404] }
}

/** @param {Source} source @returns {Call} */
function verb({ random }) {
  const method = random.pick(verbs)
  const [target, supported] = random.pick([
    /** @type {const} */ ([LIST, ['GET', 'HEAD']]),
    /** @type {const} */ ([`${LIST}/1`, ['DELETE']]),
    /** @type {const} */ (['/v1/pets/1', ['GET', 'HEAD']]),
  ])
  return { method, target, key: 'none', statuses: [supported.some((name) => name === method) ? 401 : 405] }
}
