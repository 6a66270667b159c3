// Well-formed requests in many variations: bodies, spellings, versions, fields without effect.
import type { Random } from '../random.ts'
import type { Exchange, Source, World } from '../types.ts'
import { anyCall, type Call } from './calls.ts'
import { authorization, type Field, latin1, requestId, write } from './message.ts'

const FIELD_TEXT = 'abcXYZ019 !#$%&\'()*+,-./:;<=>?@[]^_`{|}~"\\\t\x80\xff'

const socketKey = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' }
const upgrades: readonly Field[][] = [
  { Connection: 'Upgrade', Upgrade: 'websocket', ...socketKey },
  { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' },
  { Upgrade: 'TLS/1.3', Connection: 'upgrade' },
].map((fields) => Object.entries(fields))

/** @param options isLast: it asks to close the connection */
export function valid(source: Source, options: { isLast?: boolean; isUpgrade?: boolean; call?: Call } = {}): Exchange {
  const { isLast = false, isUpgrade = false, call = anyCall(source) } = options
  const { world, random } = source
  const { method, statuses, order, fields = [] } = call
  const id = requestId(random)
  const version = isLast && random.chance(0.3) ? '1.0' : '1.1'
  const body = random.chance(0.15) ? anyBody(random, version) : undefined
  const continues = version === '1.1' && body !== undefined && !has(fields, 'Expect') && random.chance(0.02)
  const all: Field[] = [
    ...(version === '1.0' && random.chance(0.5) ? [] : [host(world, random)]),
    id,
    ...keyFields(world, call.key, random),
    ...fields,
    ...(isUpgrade ? random.pick(upgrades) : []),
    ...(isLast && version === '1.1' ? [['Connection', random.pick(['close', 'Close'])] as Field] : []),
    ...(continues ? [['Expect', random.pick(['100-continue', '100-Continue'])] as Field] : []),
    ...(body?.fields ?? []),
    ...fillers(random),
  ]
  const target = random.chance(0.05) ? `http://${world.host}${call.target}` : call.target
  const bytes = write({ method, target, version, fields: random.shuffled(all), body: body?.text ?? '' })
  // The server upgrades no protocol, and sends no 100 once the body has arrived; later requests may rely on either.
  const closes = isLast ? 'must' : isUpgrade || continues ? 'may' : 'never'
  const before = random.chance(0.03) ? '\r\n' : '' // must be ignored (RFC 9112, section 2.2)
  return {
    bytes: Buffer.concat([latin1(before), bytes]),
    response: { method, statuses, closes, id: id[1], order, ...(continues && { continues }) },
  }
}

function has(fields: readonly Field[], name: string) {
  return fields.some(([other]) => other === name)
}

function host(world: World, random: Random): Field {
  return [random.pick(['Host', 'host', 'HOST']), random.pick([world.host, world.host, 'orders.example', '[::1]:3000'])]
}

function keyFields(world: World, key: 'good' | 'wrong' | 'none', random: Random): Field[] {
  if (key === 'good') return [random.chance(0.2) ? ['authorization', `bearer ${world.key}`] : authorization(world)]
  return key === 'none' ? [] : [['Authorization', random.pick([`Bearer ${random.text(20)}`, 'Basic eDp5', 'Bearer'])]]
}

function fillers(random: Random): Field[] {
  if (!random.chance(0.3)) return []
  return Array.from({ length: random.between(1, 12) }, () => [
    `X-${random.text(6)}`,
    random.text(random.below(60), FIELD_TEXT).trim(),
  ])
}

function anyBody(random: Random, version: string): { fields: Field[]; text: string } {
  const length = random.pick([0, 1, 10, 1000, 20_000])
  const text = random
    .bytes(Math.min(length, 64))
    .toString('latin1')
    .repeat(Math.ceil(length / 64))
    .slice(0, length)
  const type: Field[] = random.chance(0.5)
    ? [['Content-Type', random.pick(['application/json', 'text/xml', ';;'])]]
    : []
  if (version === '1.0' || random.chance(0.5)) return { fields: [...type, ['Content-Length', `${text.length}`]], text }
  const coding = random.pick(['chunked', 'Chunked', 'CHUNKED'])
  return { fields: [...type, ['Transfer-Encoding', coding]], text: chunked(text, random) }
}

function chunked(text: string, random: Random) {
  let chunks = ''
  for (let at = 0; at < text.length; ) {
    const size = Math.min(random.between(1, 6000), text.length - at)
    const digits = random.pick([size.toString(16), size.toString(16).toUpperCase(), `00${size.toString(16)}`])
    chunks += `${digits}${random.pick(['', '', ';a', ';a=b;c="d e"'])}\r\n${text.slice(at, at + size)}\r\n`
    at += size
  }
  return `${chunks}0\r\n${random.pick(['', '', 'X-Trailer: done\r\n'])}\r\n`
}
