// The calls of well-formed requests, each with its valid statuses.
import { METHODS } from 'node:http'
import { modelOf } from 'exact-openapi/model'
import { loadDocument } from '../../../spec/document.ts'
import { pendingOrder } from '../model.ts'
import type { Source } from '../types.ts'
import type { Field } from './message.ts'

export interface Call {
  method: string
  target: string
  key: 'good' | 'wrong' | 'none'
  statuses: readonly number[]
  fields?: readonly Field[]
  order?: bigint | undefined
}

const { operations } = modelOf(loadDocument())
export const LIST = '/v1/store/orders'
const int64Text = { min: String(-(2n ** 63n) - 1n), max: String(2n ** 63n) }
const malformed = ['1e3', '0x10', '+1', '01', '-0', '1.0', '%20', '%31%', 'x', '1,2', int64Text.min, int64Text.max]
/** CONNECT has its own form. */
const verbs = METHODS.filter((method) => !['CONNECT', 'OPTIONS'].includes(method))
const unacceptable = ['text/html', 'application/xml']
const badKeys = ['none', 'wrong'] as const
const pages = ['/openapi.json', '/docs']
/** Preconditions that always fail: the list's ETag is not that of an order. */
const unmet: readonly Field[] = [
  ...['"x"', 'W/"x"', '"a", "b"'].map((tags): Field => ['If-Match', tags]),
  ['If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
]

/** With their weights. */
const calls: readonly (readonly [number, (source: Source) => Call])[] = [
  [3, () => list('GET')],
  [2, () => list('HEAD')],
  [2, ({ random }) => ({ ...list(random.pick(['GET', 'HEAD'])), fields: [['If-None-Match', '*']], statuses: [304] })],
  [1, () => ({ ...list('GET'), fields: [['If-None-Match', '"other"']] })],
  [1, ({ random }) => ({ ...list('GET'), fields: [['Accept', random.pick(unacceptable)]], statuses: [406] })],
  [1, () => ({ ...list('GET'), fields: [['Expect', 'the-unexpected']], statuses: [417] })],
  [8, ({ random }) => ({ ...list(random.pick(['GET', 'HEAD'])), key: random.pick(badKeys), statuses: [401] })],
  [24, cancel],
  [6, (source) => ({ ...cancel(source), fields: [source.random.pick(unmet)], statuses: [412, 404] })],
  [3, (source) => ({ ...cancel(source), fields: [['If-Match', '*']] })],
  [8, (source) => ({ ...cancel(source), key: source.random.pick(badKeys), statuses: [401] })],
  [5, ({ world, random }) => cancellation(random.pick([...world.orders.shipped]), [409])],
  [5, ({ random }) => cancellation(random.int64(), [404])],
  [5, ({ random }) => ({ ...list('DELETE'), target: `${LIST}/${random.pick(malformed)}`, statuses: [400] })],
  [6, ({ random }) => ({ ...list('GET'), target: `/v1/pets/${random.below(400)}`, statuses: [200, 404] })],
  [2, ({ random }) => ({ ...list('GET'), target: `/v1/pets/${random.pick(malformed)}`, statuses: [400] })],
  [4, ({ random }) => open('GET', `/${random.text(9)}`, 404)],
  [6, verb],
  [3, ({ random }) => open('OPTIONS', random.pick([LIST, `${LIST}/1`]), 204)],
  [0.2, ({ random }) => open('GET', random.pick(pages), 200)],
]
export function anyCall(source: Source): Call {
  return source.random.weighted(calls)(source)
}

export function list(method: string): Call {
  return { method, target: LIST, key: 'good', statuses: [200] }
}

function cancellation(order: bigint, statuses: readonly number[]): Call {
  return { method: 'DELETE', target: `${LIST}/${order}`, key: 'good', statuses, order }
}

export function cancel(source: Source): Call {
  return cancellation(pendingOrder(source), [204, 404])
}

function open(method: string, target: string, status: number): Call {
  return { method, target, key: 'none', statuses: [status] }
}

function verb({ random }: Source): Call {
  const method = random.pick(verbs)
  const { path } = random.pick(operations)
  const supported = operations.filter((one) => one.path === path).map((one) => one.method)
  const isSupported = supported.includes(method === 'HEAD' ? 'GET' : method)
  return open(method, `/v1${path.replace(/{\w+}/, '1')}`, isSupported ? 401 : 405)
}
