// Claims to a host that another owner has added. Until the ownership is proven, a TXT record decides.
import { createHash } from 'node:crypto'
import type { DnsVerifier } from '../dns/verify.ts'
import { DomainError } from '../domain-error.ts'
import { proofHost, proofRecordFor } from '../problems/required-record.ts'
import type { Domain } from '../state/domain.ts'
import type { Damage } from '../state/records.ts'
import type { Draft, Snapshot } from '../state/snapshot.ts'

const LOOKUP_MS = 10_000

/** The owner of the existing domain has not proven the ownership, and another one is ready to. */
function isDisputed({ owner, proof }: Domain, claimed: Domain): boolean {
  return owner !== claimed.owner && proof !== undefined && proof.provenAt === undefined && claimed.proof !== undefined
}

const takesOver = (existing: Domain, claimed: Domain) =>
  isDisputed(existing, claimed) && claimed.proof?.provenAt !== undefined

/** @returns the domain, with the time of its proof if that is needed and its record is found */
export async function provenIfDisputed(
  claimed: Domain,
  { domains }: Snapshot,
  dns: Pick<DnsVerifier, 'hasText'>,
): Promise<Domain> {
  const { name, proof, addedAt } = claimed
  const existing = domains.get(name.host)
  if (!existing || !proof || !isDisputed(existing, claimed)) return claimed
  const isProven = await dns.hasText(proofHost(name.host), proof.token, AbortSignal.timeout(LOOKUP_MS))
  return isProven === true ? { ...claimed, proof: { ...proof, provenAt: addedAt } } : claimed
}

/** @throws DomainError if the host belongs to another owner, with the record that would change this, if any does */
export function checkClaim(claimed: Domain, { domains }: Snapshot, damaged: readonly Damage[]): void {
  const { host } = claimed.name
  const existing = domains.get(host)
  if (!existing && isLost(host, damaged)) {
    const message = `${host} has already been added, but its stored record is damaged: ask the operator to repair it.`
    throw new DomainError('domain_exists', message)
  }
  if (!existing || existing.owner === claimed.owner || takesOver(existing, claimed)) return
  const proof = isDisputed(existing, claimed) ? proofRecordFor(claimed) : undefined
  if (!proof) throw new DomainError('domain_exists', `${host} has already been added.`)
  const message =
    `${host} has already been added, but its ownership is not proven. If it is yours, create this record and add ` +
    `the domain again: type ${proof.type}, name ${proofHost(host)}, value ${proof.value}, TTL ${proof.ttl}.`
  throw new DomainError('domain_exists', message, { proof })
}

/** Whether the record of the host has been damaged so that it does not name the host any more. */
function isLost(host: string, damaged: readonly Damage[]): boolean {
  if (damaged.length === 0) return false
  const id = createHash('sha256').update(host).digest('hex')
  return damaged.some(({ kind, name }) => kind === 'domain' && name === id)
}

/** Removes the domain that the claim takes over, with its roles and redirects: they are of the former owner. */
export function dropDisputed(draft: Draft, claimed: Domain): void {
  const { host } = claimed.name
  const existing = draft.domains.get(host)
  if (!existing || !takesOver(existing, claimed)) return
  draft.domains.delete(host)
  for (const [from, { to }] of draft.redirects) if (from === host || to === host) draft.redirects.delete(from)
  for (const [role, holder] of draft.roles) if (holder === host) draft.roles.delete(role)
}
