// Connections with many pipelined requests, with a bad one anywhere among them.
import type { Random } from '../random.ts'
import { type Broken, broken } from '../requests/broken.ts'
import { cancel, list } from '../requests/calls.ts'
import { requestId, write } from '../requests/message.ts'
import { brokenBytes, odd } from '../requests/odd.ts'
import { valid } from '../requests/valid.ts'
import type { Exchange, Expected, Script, Source } from '../types.ts'

/** A rejected request: those after it get no response. */
export const rejected: Expected = { method: 'GET', statuses: [400], closes: 'must' }

export const rejectedWith = ({ status = 400 }: Broken) => ({ ...rejected, statuses: [status] })

export function pipeline(source: Source): Script {
  const { random, touches } = source
  const before = Array.from({ length: random.pick([0, 1, 1, 3, 10, 30, 99]) }, () => valid(source))
  const bad = random.pick([undefined, odd, brokenRequest, connectRequest, upgradeRequest])
  if (!bad) {
    const last = valid(source, { isLast: random.chance(0.5) })
    const isWaiting = last.response.closes === 'must'
    const exchanges = [...before, last]
    return { kind: 'pipeline', ...joined(exchanges, [], random), end: isWaiting ? 'wait' : 'fin', touches }
  }
  const behind = [...Array.from({ length: random.below(5) }, () => valid(source)), valid(source, { isLast: true })]
  const first = bad(source)
  const kind = `pipeline, ${first.name ?? bad.name}`
  const rest = [first, ...behind]
  const responses = (first.response.closes === 'must' ? [first] : rest).map(({ response }) => response)
  const parts = joined(
    before,
    rest.map(({ bytes }) => bytes),
    random,
    responses,
  )
  return { kind, ...parts, end: 'wait', touches }
}

function brokenRequest(source: Source): Exchange {
  const fault = source.random.pick(broken)
  return { name: fault.name, bytes: brokenBytes(source, fault), response: rejectedWith(fault) }
}

function upgradeRequest(source: Source) {
  return valid(source, { isUpgrade: true })
}

export function connectRequest({ random }: Source): Exchange {
  const target = random.pick(['example.com:443', '127.0.0.1:1', 'localhost:80', '[::1]:80'])
  return {
    bytes: write({ method: 'CONNECT', target, fields: [['Host', target], requestId(random)] }),
    response: rejected,
  }
}

/** CONNECT while a list is read, or after a cancellation. */
export function connect(source: Source): Script {
  const { random, touches } = source
  const calls = Array.from({ length: random.below(3) }, () => (random.chance(0.5) ? list('GET') : cancel(source)))
  const before = calls.map((call) => valid(source, { call }))
  const { bytes, response } = connectRequest(source)
  const behind = random.chance(0.5) ? [valid(source).bytes] : [random.bytes(20)]
  return { kind: 'connect', ...joined(before, [bytes, ...behind], random, [response]), end: 'wait', touches }
}

/** The client half-closes, and reads everything. */
export function halfClose(source: Source): Script {
  const { random, touches } = source
  const exchanges = Array.from({ length: random.between(1, 8) }, () => valid(source, { call: list('GET') }))
  return { kind: 'half-close', ...joined(exchanges, [], random), end: 'fin', touches }
}

export function byteByByte(source: Source): Script {
  const { random, touches } = source
  const exchanges = Array.from({ length: random.between(1, 2) }, () => valid(source))
  const { bytes } = exchanges.at(-1) as Exchange
  const slow = bytes.length < 1000 ? Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)) : [bytes]
  const responses = exchanges.map(({ response }) => response)
  const pieces = [...exchanges.slice(0, -1).map((exchange) => exchange.bytes), ...slow]
  return { kind: 'byte by byte', pieces, responses, end: 'fin', touches }
}

/**
 * Only requests before a rejection are sent in pieces: the server may close once it has read that one.
 * @param responses to the rest
 */
function joined(exchanges: Exchange[], rest: Buffer[], random: Random, responses: Expected[] = []) {
  const bytes = Buffer.concat(exchanges.map((exchange) => exchange.bytes))
  const cuts = random.chance(0.4) ? Array.from({ length: random.below(8) }, () => random.below(bytes.length)) : []
  const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
  const parts = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
  const last = Buffer.concat([parts.pop() ?? Buffer.alloc(0), ...rest])
  const isLossy = last.length > 16 * 1024 && responses.some(({ closes }) => closes !== 'never')
  return {
    pieces: [...parts.filter(({ length }) => length > 0), last],
    responses: [...exchanges.map(({ response }) => response), ...responses],
    ...(isLossy && { isLossy }),
  }
}
