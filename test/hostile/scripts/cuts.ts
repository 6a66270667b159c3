// Connections that end within a request, change a byte of one, or do not speak HTTP.
import { cancel, LIST, list } from '../requests/calls.ts'
import { authorization, requestId, write } from '../requests/message.ts'
import { noise as anyNoise, mutant as changed } from '../requests/noise.ts'
import { valid } from '../requests/valid.ts'
import { variantOf } from '../requests/variant.ts'
import type { Exchange, Script, Source } from '../types.ts'
import { connectRequest, rejected, several } from './pipelines.ts'

/** An identifier so short that a changed digit may identify another order. */
const SHORT = 2n ** 54n
const done = { statuses: [204, 404], closes: 'never' } as const
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n'
const chunks = '5\r\nhello\r\n5\r\nworld\r\n0\r\nA: b\r\n\r\n'

/** Requests to cut at each byte: a cancellation, one with a body, an upgrade, CONNECT, and a list. */
export const toCut: readonly ((source: Source) => Exchange)[] = [
  (source) => variantOf(source, done),
  (source) => variantOf(source, { ...done, fields: 'Transfer-Encoding: chunked\r\n', body: chunks }),
  (source) => variantOf(source, { ...done, fields: upgrade, body: 'hello', closes: 'may' }),
  connectRequest,
  (source) => variantOf(source, { method: 'GET', target: LIST, statuses: [200], closes: 'never' }),
]

/** A request without its end, then FIN. */
export function half(source: Source): Script {
  const { random } = source
  const before = several(source, [0, 0, 1, 5])
  const call = random.chance(0.8) ? cancel(source) : list('GET')
  const { bytes, response } = valid(source, { call, isUpgrade: random.chance(0.1) })
  const start = bytes.toString('latin1').search(/[^\r\n]/)
  const cut = bytes.subarray(0, random.between(start + 1, bytes.length - 1))
  const last = { ...rejected, continues: response.continues ?? false }
  const pieces = [Buffer.concat([...before.map((exchange) => exchange.bytes), cut])]
  return { kind: 'half', pieces, responses: [...before.map((each) => each.response), last], end: 'fin' }
}

/** The first bytes of a request, then FIN or RST. */
export function cut({ bytes, response }: Exchange, at: number, end: 'fin' | 'reset'): Script {
  const isOptional = end === 'reset'
  const responses = [at >= bytes.length ? response : { ...rejected, isOptional }]
  return { kind: `${end} at byte ${at}`, pieces: [bytes.subarray(0, at)], responses, end }
}

export function mutant(source: Source): Script {
  const { random, world } = source
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
  return { kind: 'mutant', pieces: [bytes], responses, end: 'fin' }
}

export function noise(source: Source): Script {
  const before = several(source, [0, 0, 1, 4])
  const pieces = [Buffer.concat([...before.map(({ bytes }) => bytes), anyNoise(source.random)])]
  const rejection = { ...rejected, statuses: [400, 408, 501], isOptional: true }
  const responses = [...before.map(({ response }) => response), rejection]
  return { kind: 'noise', pieces, responses, end: source.random.pick(['fin', 'wait']) }
}
