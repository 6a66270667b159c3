// Connections that end within a request, change a byte of one, or do not speak HTTP.
import { cancel, list } from '../requests/calls.ts'
import { authorization, type Field, requestId, write } from '../requests/message.ts'
import { noise as anyNoise, mutant as changed } from '../requests/noise.ts'
import { valid } from '../requests/valid.ts'
import type { Exchange, Script, Source } from '../types.ts'
import { connectRequest, rejected } from './pipelines.ts'

/** An identifier so short that a changed digit may identify another order. */
const SHORT = 2n ** 54n

/** A request without its end, then FIN. */
export function half(source: Source): Script {
  const { random, touches } = source
  const before = Array.from({ length: random.pick([0, 0, 1, 5]) }, () => valid(source))
  const { bytes, response } = valid(source, {
    call: random.chance(0.8) ? cancel(source) : list('GET'),
    isUpgrade: random.chance(0.1),
  })
  const start = bytes.toString('latin1').search(/[^\r\n]/)
  const cut = bytes.subarray(0, random.between(start + 1, bytes.length - 1))
  const last = { ...rejected, continues: response.continues ?? false }
  const pieces = [Buffer.concat([...before.map((exchange) => exchange.bytes), cut])]
  return { kind: 'half', pieces, responses: [...before.map((each) => each.response), last], end: 'fin', touches }
}

/** FIN after each byte of a cancellation. Every fourth has a body. */
export function finAt(source: Source, at: number): Script {
  const { bytes, response } = at % 4 === 0 ? withBody(source) : cancelRequest(source)
  const responses = [at >= bytes.length ? response : rejected]
  return { kind: 'FIN at a byte', pieces: [bytes.subarray(0, at)], responses, end: 'fin', touches: source.touches }
}

/** RST after each byte of a cancellation, an upgrade, a CONNECT, a list. */
export function resetAt(source: Source, at: number, shape: number): Script {
  const make = [cancelRequest, connectRequest, upgradeRequest, listRequest][shape % 4] ?? cancelRequest
  const { bytes, response } = make(source)
  const responses = [at >= bytes.length ? response : { ...rejected, isOptional: true }]
  const pieces = [bytes.subarray(0, at)]
  return { kind: `RST at a byte, ${make.name}`, pieces, responses, end: 'reset', touches: source.touches }
}

function cancelRequest(source: Source, more: readonly Field[] = [], body = ''): Exchange {
  const { method, target, statuses, order } = cancel(source)
  const id = requestId(source.random)
  const bytes = write({ method, target, fields: [['Host', 'a'], id, authorization(source.world), ...more], body })
  return { bytes, response: { method, statuses, closes: 'never', id: id[1], order } }
}

function withBody(source: Source) {
  return cancelRequest(source, [['Transfer-Encoding', 'chunked']], '5\r\nhello\r\n5\r\nworld\r\n0\r\nA: b\r\n\r\n')
}

function upgradeRequest(source: Source) {
  const fields = { Connection: 'Upgrade', Upgrade: 'websocket', 'Content-Length': '5' }
  return cancelRequest(source, Object.entries(fields), 'hello')
}

function listRequest(source: Source) {
  return valid(source, { call: list('GET') })
}

export function mutant(source: Source): Script {
  const { random, touches, world } = source
  const { method, target, order } = random.chance(0.6) ? cancel(source) : list('GET')
  const isLong = order !== undefined && (order > SHORT || order < -SHORT)
  const message = { method: isLong ? method : 'GET', target: isLong ? target : list('GET').target }
  const body = random.pick(['', '', 'hello'])
  const length = body ? [['Content-Length', '5'] as const] : []
  const fields = [['Host', world.host] as const, requestId(random), authorization(world), ...length]
  const bytes = changed(write({ ...message, fields, body }), random)
  const isNamed = isLong && new RegExp(`/v1/store/orders/${order}(?!\\d)`).test(bytes.toString('latin1'))
  const any = Array.from({ length: 300 }, (_, index) => 200 + index)
  const responses = [
    { method: 'GET', statuses: [...any, 501], closes: 'may' as const, ...(isNamed && { order, isMutant: true }) },
    { ...rejected, statuses: [400, 501], isOptional: true },
  ]
  return { kind: 'mutant', pieces: [bytes], responses, end: 'fin', touches }
}

export function noise(source: Source): Script {
  const { random, touches } = source
  const before = Array.from({ length: random.pick([0, 0, 1, 4]) }, () => valid(source))
  const pieces = [Buffer.concat([...before.map(({ bytes }) => bytes), anyNoise(random)])]
  const rejection = { ...rejected, statuses: [400, 408, 501], isOptional: true }
  const responses = [...before.map(({ response }) => response), rejection]
  return { kind: 'noise', pieces, responses, end: random.pick(['fin', 'wait']), touches }
}
