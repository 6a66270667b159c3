// Connections with many pipelined requests, with a bad one anywhere among them.
import type { Random } from '../random.ts'
import { broken } from '../requests/broken.ts'
import { requestId, write } from '../requests/message.ts'
import { odd } from '../requests/odd.ts'
import { valid } from '../requests/valid.ts'
import { variantOf } from '../requests/variant.ts'
import type { Exchange, Expected, Script, Source } from '../types.ts'

/** A rejected request: those after it get no response. */
export const rejected: Expected = { method: 'GET', statuses: [400], closes: 'must' }

/** So many valid requests. */
export const several = (source: Source, counts: readonly number[]) =>
  Array.from({ length: source.random.pick(counts) }, () => valid(source))

export function pipeline(source: Source): Script {
  const { random } = source
  const before = several(source, [0, 1, 1, 3, 10, 30, 99])
  const bad = random.pick([undefined, oddRequest, brokenRequest, connectRequest, upgradeRequest])
  if (!bad) {
    const last = valid(source, { isLast: random.chance(0.5) })
    const end = last.response.closes === 'must' ? 'wait' : 'fin'
    return { kind: 'pipeline', ...joined([...before, last], [], random), end }
  }
  const behind = [...several(source, [0, 1, 2, 3, 4]), valid(source, { isLast: true })]
  const first = bad(source)
  const rest = [first, ...behind]
  const responses = (first.response.closes === 'must' ? [first] : rest).map(({ response }) => response)
  const bytes = rest.map((one) => one.bytes)
  return { kind: `pipeline, ${first.name ?? bad.name}`, ...joined(before, bytes, random, responses), end: 'wait' }
}

function oddRequest(source: Source) {
  return variantOf(source, source.random.pick(odd))
}

function brokenRequest(source: Source) {
  return variantOf(source, source.random.pick(broken))
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

export function byteByByte(source: Source): Script {
  const before = several(source, [0, 1])
  const { bytes, response } = valid(source)
  const slow = bytes.length < 1000 ? Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)) : [bytes]
  const responses = [...before.map((each) => each.response), response]
  return { kind: 'byte by byte', pieces: [...before.map((each) => each.bytes), ...slow], responses, end: 'fin' }
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
