// Limits what one address may hold at a time: connections, and requests whose body is incomplete. Holding them costs a
// client next to nothing, so that without a limit one client could take all.
import { compile } from '@fastify/proxy-addr'
import { addressLimited, type heldResources } from './channels.ts'
import { rateLimiter } from './gcra.ts'
import { networkOf } from './network.ts'

type Resource = (typeof heldResources)[number]

interface ShareOptions {
  /** What an address may hold of each resource, in all servers of this process together. */
  max: number
  /** Addresses and networks without a limit: each of these proxies holds what its clients do. */
  proxies: string[]
  /** Called at most once a minute for each resource. */
  onLimited(resource: Resource, ip: string): void
}

const WARNING_RATE = { max: 1, seconds: 60 }

const nothing = () => {}
const unlimited: ShareOptions = { max: Number.POSITIVE_INFINITY, proxies: [], onLimited: nothing }
let limits = limitsOf(unlimited)

/** Without options, there is no limit, as before the first call. What is held already does not count. */
export function limitShares(options = unlimited): void {
  limits = limitsOf(options)
}

function limitsOf({ max, proxies, onLimited }: ShareOptions) {
  const held = { connections: new Map<string, number>(), bodies: new Map<string, number>() }
  return { max, held, isProxy: compile(proxies), onLimited, countWarning: rateLimiter(WARNING_RATE) }
}

/** @returns a function that gives it back, once; undefined if the address already holds as many as it may */
export function hold(resource: Resource, ip = ''): (() => void) | undefined {
  const { max, held, isProxy, onLimited, countWarning } = limits
  if (isProxy(ip, 0)) return nothing
  const counts = held[resource]
  const network = networkOf(ip)
  const count = counts.get(network) ?? 0
  if (count >= max) {
    addressLimited.publish(resource)
    if (countWarning(resource).isAllowed) onLimited(resource, ip)
    return undefined
  }
  counts.set(network, count + 1)
  let isHeld = true
  return () => {
    if (isHeld) release(counts, network)
    isHeld = false
  }
}

function release(counts: Map<string, number>, network: string) {
  const left = (counts.get(network) as number) - 1
  if (left > 0) counts.set(network, left)
  else counts.delete(network)
}
