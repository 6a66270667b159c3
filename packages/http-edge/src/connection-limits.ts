// What clients may hold at a time: connections, and requests whose body is incomplete. Holding them costs a client next to
// nothing, so that without a limit one client could take all.

import { ipMatcher, networkOf, normalizeIp } from './addresses.ts'
import { addressLimited, type heldResources } from './channels.ts'
import { rateLimiter } from './gcra.ts'

/** `connections` or `bodies`, those that are incomplete. */
export type Resource = (typeof heldResources)[number]

export interface ConnectionLimitOptions {
  /** Connections of all servers together. Without free descriptors, a process could not read files or reach a database. */
  maxConnections?: number
  /** Called when the first connection is closed for it, and not again until half of the connections are free. */
  onFull?(): void
  /** What one address may hold of each resource, in all servers together; IPv6 clients count by /64. */
  maxPerAddress?: number
  /** Addresses and networks without a limit of their own: each of these proxies holds what its clients do. */
  proxies?: readonly string[]
  /** Called when an address is rejected, at most once a minute for each resource. */
  onLimited?(resource: Resource, ip: string): void
}

/** Shared by all servers that it is given to. */
export interface ConnectionLimits {
  /** Replaces all limits. What is held already does not count for an address. */
  set(options: ConnectionLimitOptions): void
  /** @returns a function that gives it back, once; undefined if the address already holds as many as it may */
  hold(resource: Resource, ip?: string): (() => void) | undefined
  /** Counts an open connection. @returns a function that ends it, to be called once */
  open(): () => void
  /** How many more connections may be opened. */
  free(): number
  /** Called for a connection that is closed, as none is free. */
  refuse(): void
  /** The open ones, the most there may be, and those that were refused since the start. */
  connections(): { open: number; max: number; refused: number }
}

const WARNING_RATE = { max: 1, seconds: 60 }
const nothing = () => {}

/** Without options, there is no limit. */
export function createConnectionLimits(options: ConnectionLimitOptions = {}): ConnectionLimits {
  let limits = limitsOf(options)
  let open = 0
  let refused = 0
  let isFull = false

  return {
    set(options) {
      limits = limitsOf(options)
    },
    hold(resource, ip) {
      const { maxPerAddress, held, isProxy, onLimited, countWarning } = limits
      if (isProxy(ip)) return nothing
      const counts = held[resource]
      const network = networkOf(ip)
      const count = counts.get(network) ?? 0
      if (count >= maxPerAddress) {
        addressLimited.publish(resource)
        if (countWarning(resource).isAllowed) onLimited(resource, normalizeIp(ip))
        return undefined
      }
      counts.set(network, count + 1)
      let isHeld = true
      return () => {
        if (isHeld) release(counts, network)
        isHeld = false
      }
    },
    open() {
      open++
      return () => {
        open--
        if (open <= limits.maxConnections / 2) isFull = false
      }
    },
    free: () => limits.maxConnections - open,
    refuse() {
      refused++
      if (!isFull) limits.onFull()
      isFull = true
    },
    connections: () => ({ open, max: limits.maxConnections, refused }),
  }
}

function limitsOf(options: ConnectionLimitOptions) {
  const { maxConnections = Number.POSITIVE_INFINITY, onFull = nothing } = options
  const { maxPerAddress = Number.POSITIVE_INFINITY, proxies = [], onLimited = nothing } = options
  const held = { connections: new Map<string, number>(), bodies: new Map<string, number>() }
  const countWarning = rateLimiter(WARNING_RATE)
  return { maxConnections, onFull, maxPerAddress, held, isProxy: ipMatcher(proxies), onLimited, countWarning }
}

function release(counts: Map<string, number>, network: string) {
  const left = (counts.get(network) as number) - 1
  if (left > 0) counts.set(network, left)
  else counts.delete(network)
}
