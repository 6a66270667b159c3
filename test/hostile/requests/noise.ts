// Bytes that are not HTTP/1: the first bytes of other protocols, noise, and requests with a changed byte.
import { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import type { Random } from '../random.ts'
import { latin1 } from './message.ts'

const H2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'

const tlsHello = await new Promise<Buffer>((resolve) => {
  const socket = new Duplex({ read() {}, write: (hello) => resolve(hello) })
  connect({ socket, servername: 'a.example' })
})
const greetings = 'SSH-2.0-OpenSSH_9.6\r\n|EHLO a\r\n|\x05\x01\0|stats\n|\xff\xfd\x18|{}\n|QUIT\r\n'.split('|')

/** @returns never a request, never nothing but line ends */
export function noise(random: Random): Buffer {
  const kind = random.below(5)
  if (kind === 0) return latin1(H2_PREFACE)
  if (kind === 1) return tlsHello
  if (kind === 2) return latin1(random.pick(greetings))
  if (kind === 3) return Buffer.concat([latin1('\0'), random.bytes(random.between(0, 4096))])
  return Buffer.concat([latin1('~'), latin1(random.text(random.between(1, 300), ' \t\r\n:/GETPOSTHTTP/1.1'))])
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
