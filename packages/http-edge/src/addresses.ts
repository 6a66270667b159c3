// Addresses of clients, as sockets and proxies write them.
import { isIP, isIPv4 } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** A trusted proxy can send any text. */
const MAX_ADDRESS_LENGTH = 64

/**
 * Reads `203.0.113.8:50001`, `[2001:db8::1]:443`, `fe80::1%eth0` and `::ffff:203.0.113.8` as the address alone. Other text
 * is cut to 64 characters. A closed socket has no address.
 */
export function normalizeIp(text = ''): string {
  if (isIPv4(text)) return text
  const [, inBrackets, beforePort] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? []
  const [address = ''] = (inBrackets ?? beforePort ?? text).split('%')
  return isIP(address) === 0 ? text.slice(0, MAX_ADDRESS_LENGTH) : ipaddr.process(address).toString()
}

/** The part of an address that one client controls: of IPv6 the /64, which one customer has. */
export function networkOf(text: string | undefined): string {
  const address = normalizeIp(text)
  return isIP(address) === 6 ? ipaddr.parse(address).toByteArray().slice(0, 8).join('.') : address
}

/** @returns a function that tells whether an address, in any of these notations, is in one of the networks */
export function ipMatcher(networks: readonly string[]): (text: string | undefined) => boolean {
  const isMember = compile([...networks])
  return (text) => isMember(normalizeIp(text), 0)
}
