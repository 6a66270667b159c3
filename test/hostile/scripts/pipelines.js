// Connections of many requests, one after the other without waiting; a bad one stands anywhere among them.
import { broken } from '../requests/broken.js'
import { cancel, list } from '../requests/calls.js'
import { requestId, write } from '../requests/message.js'
import { brokenBytes, odd } from '../requests/odd.js'
import { valid } from '../requests/valid.js'

/**
 * @typedef {import('../types.js').Source} Source
 * @typedef {import('../types.js').Script} Script
 * @typedef {import('../types.js').Exchange} Exchange
 */

/** A request refused: nothing behind it is answered. @type {import('../types.js').Expected} */
export const refused = { method: 'GET', statuses: [400], closes: 'must' }

/** @param {import('../requests/broken.js').Broken} fault */
export const refusedWith = ({ status = 400 }) => ({ ...refused, statuses: [status] })

/** @param {Source} source @returns {Script} */
export function pipeline(source) {
  const { random, touches } = source
  const before = Array.from({ length: random.pick([0, 1, 1, 3, 10, 30, 99]) }, () => valid(source))
  const bad = random.pick([undefined, odd, brokenRequest, connectRequest, upgradeRequest])
  if (!bad) {
    const last = valid(source, { isLast: random.chance(0.5) })
    const isWaiting = last.answer.closes === 'must'
    const exchanges = [...before, last]
    return { kind: 'pipeline', ...joined(exchanges, [], random), end: isWaiting ? 'wait' : 'fin', touches }
  }
  const behind = [...Array.from({ length: random.below(5) }, () => valid(source)), valid(source, { isLast: true })]
  const first = bad(source)
  const kind = `pipeline, ${first.name ?? bad.name}`
  if (first.answer.closes === 'must') {
    return {
      kind,
      ...joined([...before], [first.bytes, ...behind.map(({ bytes }) => bytes)], random, [first.answer]),
      end: 'wait',
      touches,
    }
  }
  return {
    kind,
    ...joined(
      before,
      [first, ...behind].map(({ bytes }) => bytes),
      random,
      [first, ...behind].map(({ answer }) => answer),
    ),
    end: 'wait',
    touches,
  }
}

/** @param {Source} source @returns {Exchange} */
function brokenRequest(source) {
  const fault = source.random.pick(broken)
  return { name: fault.name, bytes: brokenBytes(source, fault), answer: refusedWith(fault) }
}

/** @param {Source} source */
function upgradeRequest(source) {
  return valid(source, { isUpgrade: true })
}

/** @param {Source} source @returns {Exchange} */
export function connectRequest({ random }) {
  const target = random.pick(['example.com:443', '127.0.0.1:1', 'localhost:80', '[::1]:80'])
  return { bytes: write({ method: 'CONNECT', target, fields: [['Host', target], requestId(random)] }), answer: refused }
}

/** CONNECT while a list is read, or behind a cancel. @param {Source} source @returns {Script} */
export function connect(source) {
  const { random, touches } = source
  const calls = Array.from({ length: random.below(3) }, () => (random.chance(0.5) ? list('GET') : cancel(source)))
  const before = calls.map((call) => valid(source, { call }))
  const { bytes, answer } = connectRequest(source)
  const behind = random.chance(0.5) ? [valid(source).bytes] : [random.bytes(20)]
  return { kind: 'connect', ...joined(before, [bytes, ...behind], random, [answer]), end: 'wait', touches }
}

/** The client sends no more, and reads everything. @param {Source} source @returns {Script} */
export function halfClose(source) {
  const { random, touches } = source
  const exchanges = Array.from({ length: random.between(1, 8) }, () => valid(source, { call: list('GET') }))
  return { kind: 'half-close', ...joined(exchanges, [], random), end: 'fin', touches }
}

/** @param {Source} source @returns {Script} */
export function byteByByte(source) {
  const { random, touches } = source
  const exchanges = Array.from({ length: random.between(1, 2) }, () => valid(source))
  const { bytes } = /** @type {Exchange} */ (exchanges.at(-1))
  const slow = bytes.length < 1000 ? Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)) : [bytes]
  const answers = exchanges.map(({ answer }) => answer)
  const pieces = [...exchanges.slice(0, -1).map((exchange) => exchange.bytes), ...slow]
  return { kind: 'byte by byte', pieces, answers, end: 'fin', touches }
}

/**
 * Only what stands before a refusal travels in pieces: the server may close once it has seen that.
 * @param {Exchange[]} exchanges @param {Buffer[]} rest @param {import('../random.js').Random} random
 * @param {import('../types.js').Expected[]} [answers] to the rest
 */
function joined(exchanges, rest, random, answers = []) {
  const bytes = Buffer.concat(exchanges.map((exchange) => exchange.bytes))
  const cuts = random.chance(0.4) ? Array.from({ length: random.below(8) }, () => random.below(bytes.length)) : []
  const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
  const parts = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
  const last = Buffer.concat([parts.pop() ?? Buffer.alloc(0), ...rest])
  const isLossy = last.length > 16 * 1024 && answers.some(({ closes }) => closes !== 'never')
  return {
    pieces: [...parts.filter(({ length }) => length > 0), last],
    answers: [...exchanges.map(({ answer }) => answer), ...answers],
    ...(isLossy && { isLossy }),
  }
}
