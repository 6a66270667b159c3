// Checks a domain's records as one server has them: do they point to the platform, and to nothing else?

import { randomUUID } from 'node:crypto'
import { isWithin } from '../domain-name.ts'
import type { DomainName, Problem } from '../state/domain.ts'
import { isProxy } from './proxies.ts'
import { addressesOf, othersOf, servicesOf, type Target, type Targets } from './records.ts'
import { canonical, type Found, type Lookup } from './resolver.ts'

export interface Checked {
  name: DomainName
  targets: Targets
  /** The zone that the host is in; undefined where no name server knows it. */
  zone: string | undefined
}

/** The owner of a zone decides how many records it has: a problem names no more of them. */
const MOST_RECORDS = 10

type Conflict = Extract<Problem, { code: 'conflicting_record' }>

/** @param lookup at the server @param platform where the record must lead @throws LookupError */
export async function checkRecords(
  { name, targets, zone = name.zone }: Checked,
  lookup: Lookup,
  platform: Target,
): Promise<Problem | undefined> {
  const { host } = name
  const [target] = targets
  // Only the first hop counts: the owner of a name in between could take over the domain.
  const aliases = name.kind === 'subdomain' ? await lookup(host, 'CNAME') : []
  const [cname, another] = new Set(aliases.map(({ data }) => canonical(data)))
  if (another !== undefined) {
    const found = aliases.slice(0, MOST_RECORDS).map(({ data }) => ({ type: 'CNAME', value: data }))
    return { code: 'conflicting_record', found, via: 'aliases', ...delegation(name, zone) }
  }
  if (cname !== undefined && !isOneOf(targets, cname)) {
    const isZoneAppended = cname === `${canonical(target)}.${zone}`
    const [{ data: found }] = aliases as [Found<'CNAME'>]
    return { code: 'cname_mismatch', found, expected: target, isZoneAppended, ...delegation(name, zone) }
  }
  if (!(await platform.hasAddress())) return { code: 'target_unresolvable', target }

  const [addresses, services] = await Promise.all([
    addressesOf(host, lookup),
    cname === undefined ? servicesOf(host, lookup) : [],
  ])
  const ofHost = addresses.filter(({ owner }) => cname === undefined || owner === host) // others are the target's
  const foreign = await platform.foreign(ofHost)
  if (cname !== undefined) return conflictOf(foreign)

  const { nameServers, others } = name.kind === 'apex' ? { nameServers: [], others: [] } : await othersOf(host, lookup)
  const delegated = delegation(name, nameServers.length > 0 ? host : zone)
  const isApex = name.kind === 'apex' || delegated?.delegated === host // no CNAME is possible there
  const elsewhere = isApex
    ? [...foreign, ...(await platform.foreignServices(host, services))]
    : [...ofHost, ...services, ...others]
  const conflict = conflictOf(elsewhere, delegated)
  if (conflict && ofHost.length > 0 && ofHost.every(({ value }) => isProxy(value))) return { ...conflict, via: 'proxy' }
  if (conflict && !isApex && ofHost.length > 0 && foreign.length === 0) return { ...conflict, via: 'flattening' }
  if (conflict || ofHost.length > 0) return conflict
  const doubled = `${host}.${zone}`
  const isDoubled = await hasRecordAt(doubled, targets, lookup).catch(() => false)
  return { code: 'record_missing', ...delegated, ...(isDoubled && { doubled }) }
}

const isOneOf = (targets: Targets, name: string) => targets.some((target) => canonical(target) === name)

/** True if this very name leads to a target, and not a wildcard. */
async function hasRecordAt(name: string, targets: Targets, lookup: Lookup): Promise<boolean> {
  const leadsHere = async (host: string) =>
    (await lookup(host, 'CNAME')).some(({ data }) => isOneOf(targets, canonical(data)))
  return (await leadsHere(name)) && !(await leadsHere(name.replace(/^[^.]+/, `x${randomUUID()}`)))
}

function conflictOf(conflicting: Conflict['found'], delegated?: { delegated: string }): Conflict | undefined {
  const found = conflicting.slice(0, MOST_RECORDS).map(({ type, value }) => ({ type, value }))
  return found.length > 0 ? { code: 'conflicting_record', found, ...delegated } : undefined
}

/** The zone below the registrable domain that the host is in, if any. */
function delegation({ host, zone }: DomainName, delegated: string): { delegated: string } | undefined {
  return delegated !== zone && isWithin(delegated, zone) && isWithin(host, delegated) ? { delegated } : undefined
}
