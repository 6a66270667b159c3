// The part of an address that one client controls.
import ipaddr from 'ipaddr.js'

/** An address can be any text if a trusted proxy sends it. */
const MAX_ADDRESS_LENGTH = 64

/** Groups IPv6 clients by /64, which one customer controls. A closed socket has no address. */
export function networkOf(ip = ''): string {
  const text = ip.slice(0, MAX_ADDRESS_LENGTH)
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text) // an IPv4-mapped address becomes an IPv4 one
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
