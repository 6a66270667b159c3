// Checks a domain's records as one server has them: do they point to the platform, and to nothing else?
import type { DomainName, Problem } from '../state/domain.ts'
import { isProxy } from './proxies.ts'
import { addressesOf, othersOf, servicesOf, targetMemory } from './records.ts'
import { canonical, isWithin, type Lookup } from './resolver.ts'

export interface Checked {
  name: DomainName
  /** The platform's CNAME target. */
  target: string
  /** The zone that the host is in; undefined where no name server knows it. */
  zone: string | undefined
}

type Conflict = Extract<Problem, { code: 'conflicting_record' }>

/** @returns a function that throws LookupError. @param lookup at the server. @param resolver where the target is looked up */
export function recordChecker() {
  const targets = targetMemory()

  return async (
    { name, target, zone = name.zone }: Checked,
    lookup: Lookup,
    resolver: Lookup,
  ): Promise<Problem | undefined> => {
    const { host } = name
    // Only the first hop counts: the owner of a name in between could take over the domain.
    const [alias] = name.kind === 'subdomain' ? await lookup(host, 'CNAME') : []
    const cname = alias?.data
    if (cname !== undefined && canonical(cname) !== canonical(target)) {
      const isZoneAppended = canonical(cname) === `${canonical(target)}.${zone}`
      return { code: 'cname_mismatch', found: cname, expected: target, isZoneAppended, ...delegation(name, zone) }
    }
    if (!(await targets.hasAddress(target, resolver))) return { code: 'target_unresolvable', target }

    const [addresses, services] = await Promise.all([
      addressesOf(host, lookup),
      cname === undefined ? servicesOf(host, lookup) : [],
    ])
    const own = addresses.filter(({ owner }) => cname === undefined || owner === host) // others are the target's
    const foreign = await targets.foreign(target, own, resolver)
    if (cname !== undefined) return conflictOf(foreign)

    const { nameServers, others } =
      name.kind === 'apex' ? { nameServers: [], others: [] } : await othersOf(host, lookup)
    const delegated = delegation(name, nameServers.length > 0 ? host : zone)
    const isApex = name.kind === 'apex' || delegated?.delegated === host // no CNAME is possible there
    const elsewhere = isApex
      ? [...foreign, ...(await targets.foreignServices({ host, target }, services, resolver))]
      : [...own, ...services, ...others]
    const conflict = conflictOf(elsewhere, delegated)
    if (conflict && own.length > 0 && own.every(({ value }) => isProxy(value))) return { ...conflict, via: 'proxy' }
    if (conflict && !isApex && own.length > 0 && foreign.length === 0) return { ...conflict, via: 'flattening' }
    if (conflict || own.length > 0) return conflict
    const doubled = `${host}.${zone}`
    const [record] = await lookup(doubled, 'CNAME').catch(() => [])
    return { code: 'record_missing', ...delegated, ...(record && { doubled }) }
  }
}

function conflictOf(found: Conflict['found'], delegated?: { delegated: string }): Conflict | undefined {
  const records = found.map(({ type, value }) => ({ type, value }))
  return found.length > 0 ? { code: 'conflicting_record', found: records, ...delegated } : undefined
}

/** The zone below the registrable domain that the host is in, if any. */
function delegation({ host, zone }: DomainName, found: string): { delegated: string } | undefined {
  return found !== zone && isWithin(found, zone) && isWithin(host, found) ? { delegated: found } : undefined
}
