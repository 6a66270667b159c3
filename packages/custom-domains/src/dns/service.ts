// HTTPS and SVCB records (RFC 9460), which dns-packet leaves undecoded: browsers follow those of type HTTPS.
import ipaddr from 'ipaddr.js'
import { printable } from '../state/printable.ts'

export interface Service {
  /** 0 for an alias of the target. */
  priority: number
  /** Empty for the owner of the record. */
  target: string
  addresses: { type: 'A' | 'AAAA'; value: string }[]
  /** Names a port, or keys to encrypt the handshake with: then only the server that it describes can serve the owner. */
  isBound: boolean
  /** The record as zone files have it, but for parameters that are unknown here: `1 . ipv4hint=192.0.2.1`. */
  text: string
}

const [ALPN, PORT, IPV4_HINT, ECH, IPV6_HINT] = [1, 3, 4, 5, 6]

/** Section 2.2: the priority, the target as labels, and parameters by number. */
export function readService(data: Buffer): Service {
  const priority = data.readUInt16BE()
  const labels: string[] = []
  let offset = 2
  for (let length = data.readUInt8(offset++); length > 0; length = data.readUInt8(offset++)) {
    labels.push(data.toString('latin1', offset, offset + length))
    offset += length
  }
  const parameters = new Map<number, Buffer>()
  while (offset < data.length) {
    const end = offset + 4 + data.readUInt16BE(offset + 2)
    parameters.set(data.readUInt16BE(offset), data.subarray(offset + 4, end))
    offset = end
  }
  const hints = [...addressesIn(parameters.get(IPV4_HINT), 4), ...addressesIn(parameters.get(IPV6_HINT), 16)]
  return {
    priority,
    target: labels.join('.'),
    addresses: hints.map((value) => ({ type: value.includes(':') ? 'AAAA' : 'A', value })),
    isBound: parameters.has(PORT) || parameters.has(ECH),
    text: printable(
      [priority, `${labels.join('.')}.`, ...Array.from(parameters, ([key, value]) => format(key, value))].join(' '),
    ),
  }
}

function addressesIn(value: Buffer | undefined, size: 4 | 16): string[] {
  const bytes = [...(value ?? [])]
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) =>
    ipaddr.fromByteArray(bytes.slice(index * size, (index + 1) * size)).toString(),
  )
}

function format(key: number, value: Buffer): string {
  if (key === ALPN) return `alpn=${protocolsIn(value).join()}`
  if (key === PORT) return `port=${value.readUInt16BE()}`
  if (key === IPV4_HINT) return `ipv4hint=${addressesIn(value, 4).join()}`
  if (key === IPV6_HINT) return `ipv6hint=${addressesIn(value, 16).join()}`
  return key === ECH ? 'ech=…' : `key${key}`
}

/** Each with its length before it (RFC 7301, section 3.1). */
function protocolsIn(value: Buffer): string[] {
  const protocols: string[] = []
  for (let offset = 0; offset < value.length; offset += 1 + value.readUInt8(offset)) {
    protocols.push(value.toString('latin1', offset + 1, offset + 1 + value.readUInt8(offset)))
  }
  return protocols
}
