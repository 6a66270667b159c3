// Bytes that are not HTTP/1: the first bytes of other protocols, noise, and requests with a changed byte.
import type { Random } from '../random.ts'
import { latin1 } from './message.ts'

const H2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'

const greetings = 'SSH-2.0-OpenSSH_9.6\r\n|EHLO a\r\n|\x05\x01\0|stats\n|\xff\xfd\x18|{}\n|QUIT\r\n'.split('|')

/** @returns never a request, never nothing but line ends */
export function noise(random: Random): Buffer {
  const kind = random.below(5)
  if (kind === 0) return latin1(H2_PREFACE)
  if (kind === 1) return tlsHello(random)
  if (kind === 2) return latin1(random.pick(greetings))
  if (kind === 3) return Buffer.concat([latin1('\0'), random.bytes(random.between(0, 4096))])
  return Buffer.concat([latin1('~'), latin1(random.text(random.between(1, 300), ' \t\r\n:/GETPOSTHTTP/1.1'))])
}

/** A ClientHello, RFC 8446 4.1.2. */
function tlsHello(random: Random) {
  const suites = latin1('\x13\x01\x13\x02\x13\x03\xc0\x2b')
  const extensions = latin1('\x00\x2b\x00\x03\x02\x03\x04\x00\x0a\x00\x04\x00\x02\x00\x1d')
  const head = [latin1('\x03\x03'), random.bytes(32), latin1('\0')]
  const hello = Buffer.concat([...head, sized(suites), latin1('\x01\0'), sized(extensions)])
  const handshake = Buffer.concat([latin1('\x01\0'), sized(hello)])
  return Buffer.concat([latin1('\x16\x03\x01'), sized(handshake)])
}

/** Prefixed with its length in two bytes. */
function sized(bytes: Buffer) {
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

/** Changes, adds or removes one byte. */
export function mutant(bytes: Buffer, random: Random) {
  const at = random.below(bytes.length)
  const byte = random.chance(0.5) ? random.bytes(1) : latin1(random.pick([...'\r\n\0 :,;%\t/']))
  const kind = random.below(3)
  if (kind === 0) return Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at + 1)])
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at)])
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
}
