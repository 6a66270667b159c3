// The Host header (RFC 9112 3.2).
import type { IncomingMessage } from 'node:http'

/** Every Host header of a request: a client sends exactly one, and Node shows the first. */
export function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1] as string)
  }
  return hosts
}

/** `uri-host [ ":" port ]` of RFC 3986, an address in brackets or a name; empty if the target has no authority. */
const grammar = /^(\[[\da-f:.]+\]|([\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d*)?$/i

/** Most requests name the same host as the last one. */
let last = ''

export function isHost(value: string): boolean {
  if (value === last) return true
  if (!grammar.test(value)) return false
  last = value
  return true
}
