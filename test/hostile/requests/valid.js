// Well-formed requests in many variations: bodies, spellings, versions, fields without effect.
import { anyCall } from './calls.js'
import { authorization, latin1, requestId, write } from './message.js'

/**
 * @typedef {import('../types.js').Source} Source
 * @typedef {import('./message.js').Field} Field
 */

const FIELD_TEXT = 'abcXYZ019 !#$%&\'()*+,-./:;<=>?@[]^_`{|}~"\\\t\x80\xff'

/** @type {readonly Field[][]} */
const upgrades = [
  [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
  ],
  [
    ['Connection', 'Upgrade, HTTP2-Settings'],
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', 'AAMAAABkAAQAAP__'],
  ],
  [
    ['Upgrade', 'TLS/1.3'],
    ['Connection', 'upgrade'],
  ],
]

/**
 * @param {Source} source
 * @param {{ isLast?: boolean, isUpgrade?: boolean, call?: import('./calls.js').Call }} [options] isLast: it asks to close the connection
 * @returns {import('../types.js').Exchange}
 */
export function valid(source, { isLast = false, isUpgrade = false, call = anyCall(source) } = {}) {
  const { world, random } = source
  const { method, statuses, order, fields = [] } = call
  const id = requestId(random)
  const version = isLast && random.chance(0.3) ? '1.0' : '1.1'
  const body = random.chance(0.15) ? anyBody(random, version) : undefined
  const continues = version === '1.1' && body !== undefined && !has(fields, 'Expect') && random.chance(0.02)
  const all = [
    ...(version === '1.0' && random.chance(0.5) ? [] : [host(world, random)]),
    id,
    ...keyFields(world, call.key, random),
    ...fields,
    ...(isUpgrade ? random.pick(upgrades) : []),
    ...(isLast && version === '1.1' ? [/** @type {Field} */ (['Connection', random.pick(['close', 'Close'])])] : []),
    ...(continues ? [/** @type {Field} */ (['Expect', random.pick(['100-continue', '100-Continue'])])] : []),
    ...(body?.fields ?? []),
    ...fillers(random),
  ]
  const target = random.chance(0.05) ? `http://${world.host}${call.target}` : call.target
  const bytes = write({ method, target, version, fields: shuffled(all, random), body: body?.text ?? '' })
  const before = random.chance(0.03) ? '\r\n' : '' // must be ignored (RFC 9112, section 2.2)
  return {
    bytes: Buffer.concat([latin1(before), bytes]),
    response: {
      method,
      statuses,
      // The server upgrades no protocol, and sends no 100 once the body has arrived; later requests may rely on either.
      closes: isLast ? 'must' : isUpgrade || continues ? 'may' : 'never',
      id: id[1],
      ...(order !== undefined && { order }),
      ...(continues && { continues }),
    },
  }
}

/** @param {readonly Field[]} fields @param {string} name */
function has(fields, name) {
  return fields.some(([other]) => other === name)
}

/** @param {import('../types.js').World} world @param {import('../random.js').Random} random @returns {Field} */
function host(world, random) {
  return [random.pick(['Host', 'host', 'HOST']), random.pick([world.host, world.host, 'orders.example', '[::1]:3000'])]
}

/** @param {import('../types.js').World} world @param {'good' | 'wrong' | 'none'} key @param {import('../random.js').Random} random @returns {Field[]} */
function keyFields(world, key, random) {
  if (key === 'good') return [random.chance(0.2) ? ['authorization', `bearer ${world.key}`] : authorization(world)]
  return key === 'none' ? [] : [['Authorization', random.pick([`Bearer ${random.text(20)}`, 'Basic eDp5', 'Bearer'])]]
}

/** @param {import('../random.js').Random} random @returns {Field[]} */
function fillers(random) {
  if (!random.chance(0.3)) return []
  return Array.from({ length: random.between(1, 12) }, () => [
    `X-${random.text(6)}`,
    random.text(random.below(60), FIELD_TEXT).trim(),
  ])
}

/** @param {import('../random.js').Random} random @param {string} version @returns {{ fields: Field[], text: string }} */
function anyBody(random, version) {
  const text = latinText(random, random.pick([0, 1, 10, 1000, 20_000]))
  /** @type {Field[]} */
  const type = random.chance(0.5) ? [['Content-Type', random.pick(['application/json', 'text/xml', ';;'])]] : []
  if (version === '1.0' || random.chance(0.5)) return { fields: [...type, ['Content-Length', `${text.length}`]], text }
  const coding = random.pick(['chunked', 'Chunked', 'CHUNKED'])
  return { fields: [...type, ['Transfer-Encoding', coding]], text: chunked(text, random) }
}

/** @param {import('../random.js').Random} random @param {number} length */
function latinText(random, length) {
  return random
    .bytes(Math.min(length, 64))
    .toString('latin1')
    .repeat(Math.ceil(length / 64))
    .slice(0, length)
}

/** @param {string} text @param {import('../random.js').Random} random */
function chunked(text, random) {
  let chunks = ''
  for (let at = 0; at < text.length; ) {
    const size = Math.min(random.between(1, 6000), text.length - at)
    const digits = random.pick([size.toString(16), size.toString(16).toUpperCase(), `00${size.toString(16)}`])
    chunks += `${digits}${random.pick(['', '', ';a', ';a=b;c="d e"'])}\r\n${text.slice(at, at + size)}\r\n`
    at += size
  }
  return `${chunks}0\r\n${random.pick(['', '', 'X-Trailer: done\r\n'])}\r\n`
}

/** @template T @param {T[]} values @param {import('../random.js').Random} random */
function shuffled(values, random) {
  for (let last = values.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const swapped = /** @type {T} */ (values[last])
    values[last] = /** @type {T} */ (values[other])
    values[other] = swapped
  }
  return values
}
