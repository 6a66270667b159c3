// Problems of the DNS record itself.
import type { DnsRecord } from '../domain-name.ts'
import { list, patience, problem, type Subject } from './problem.ts'
import { phraseOf, recordFor } from './required-record.ts'

const reasons: Readonly<Record<string, string>> = { HTTPS: 'browsers follow it, and it leads elsewhere' }
const conflicts = {
  subdomain: {
    reasonFor: (type: string) => (type === 'CNAME' ? 'it leads elsewhere' : 'it cannot coexist with a CNAME record'),
    notes: ['A wildcard record can stay: the CNAME record takes precedence.'],
  },
  apex: { reasonFor: (type: string) => reasons[type] ?? 'it sends visitors elsewhere', notes: [] },
}

/** The types that a proxy, or flattening, shows in the place of the record. */
const replacing = ['A', 'AAAA', 'HTTPS']

export const recordProblems = {
  /**
   * The name has no records at all. `delegated` is the zone that it is in, where that is not the registrable domain.
   * `doubled` is a name with the record: the provider appended the zone to a full name.
   */
  record_missing: problem<{ delegated?: string; doubled?: string }>({
    about: 'dns',
    addressee: 'user',
    cause: 'The record has not been created, or not propagated, which takes up to 48 hours.',
    isPending: ({ doubled }) => doubled === undefined,
    records: () => [],
    message: (_problem, { host }) => `There is no DNS record for ${host}.`,
    steps({ delegated, doubled }, subject) {
      const placed = within(delegated, subject)
      const { zone, label } = placed.name
      const rename = `There is a record for ${doubled}: your DNS provider appended ${zone} to its name. Change the name to ${label}.`
      return doubled ? [rename] : [recordStep('create this record', placed)]
    },
    notes: ({ delegated }, subject) => notesOn(delegated, subject),
  }),

  /**
   * `via`: a proxy of the DNS provider, or addresses of the platform, stand in the place of a record; or there are several
   * CNAME records, the right one perhaps among them.
   */
  conflicting_record: problem<{ found: DnsRecord[]; via?: 'proxy' | 'flattening' | 'aliases'; delegated?: string }>({
    about: 'dns',
    addressee: 'user',
    cause:
      'Other records have the name of the CNAME, or an HTTPS record leads browsers elsewhere. Or the record is proxied or ' +
      'flattened: the DNS provider returns addresses instead.',
    records: ({ found }) => found,
    message({ found, via }, { host }) {
      if (via === 'aliases')
        return `${host} has ${found.length} CNAME records, ${list(found.map(({ value }) => value))}. It can have only one.`
      if (via === 'proxy') return `The DNS record of ${host} is proxied: DNS returns addresses of the proxy.`
      if (via === 'flattening') return `${host} has the addresses of the platform, but not the CNAME record.`
      return `${host} has conflicting DNS records.`
    },
    steps({ found, via, delegated }, subject) {
      const placed = within(delegated, subject)
      const { kind, label, zone } = placed.name
      const { reasonFor } = conflicts[kind]
      const target = placed.record.value.toLowerCase()
      const isRight = ({ type, value }: DnsRecord) => type === 'CNAME' && value.toLowerCase() === target
      const visible = found.filter((record) => !(via && replacing.includes(record.type)) && !isRight(record))
      const deletions = visible.map(({ type, value }) => `Delete the ${type} record ${value}: ${reasonFor(type)}.`)
      if (via === 'proxy')
        return [
          `At the DNS provider of ${zone}, turn off the proxy for the record ${label} ("DNS only").`,
          ...deletions,
          recordStep('make sure that this is the record', placed),
        ]
      if (via === 'flattening')
        return [
          `If ${label} already is a CNAME record, turn off its flattening, or its proxy, at the DNS provider of ${zone}.`,
          `Otherwise, delete ${phraseOf(found)}.`,
          recordStep('create this record if it does not exist', placed),
        ]
      return [...deletions, recordStep('create this record if it does not exist', placed)]
    },
    notes({ via, delegated }, subject) {
      const notes = notesOn(delegated, subject)
      if (via === 'proxy')
        return [
          'Leave the proxy off as long as the domain is published here: the record is checked daily, and before each ' +
            'renewal of the certificate.',
          ...notes,
        ]
      if (via === 'flattening')
        return ['The addresses of the platform can change. A CNAME record follows them.', ...notes]
      return [...conflicts[within(delegated, subject).name.kind].notes, ...notes]
    },
  }),

  proof_missing: problem<{ name: string; value: string }>({
    about: 'dns',
    addressee: 'user',
    cause: 'The TXT record that proves the ownership has not been created, or not propagated.',
    isPending: () => true,
    message: (_problem, { host }) => `The ownership of ${host} is not proven yet.`,
    steps: ({ name, value }, { name: { zone } }) => [
      `At the DNS provider of ${zone}, create this record: type TXT, name ${name}, value ${value}, TTL 3600.`,
    ],
    notes: () => [patience],
  }),

  /** `isZoneAppended`: the provider appended the zone to the value, `target.example.com` for `target`. */
  cname_mismatch: problem<{ found: string; expected: string; isZoneAppended: boolean; delegated?: string }>({
    about: 'dns',
    addressee: 'user',
    cause: 'The CNAME points elsewhere, or the DNS provider appended the zone to its value.',
    records: ({ found }) => [{ type: 'CNAME', value: found }],
    message: ({ found, expected }, { host }) =>
      `The CNAME record of ${host} has the value ${found}. It must be exactly ${expected}.`,
    steps({ expected, isZoneAppended, delegated }, subject) {
      const { zone, label } = within(delegated, subject).name
      const change = `Change the value of the CNAME record ${label} to ${expected}.`
      const appended = `Your DNS provider appended ${zone} to the value: end it with a dot, "${expected}."`
      return isZoneAppended ? [change, appended] : [change]
    },
    notes: () => [patience],
  }),

  /** `found`: the records that `server` has instead. */
  record_not_everywhere: problem<{ server: string; found: DnsRecord[] }>({
    about: 'dns',
    addressee: 'user',
    cause: 'A name server does not have the record: it is being updated, or out of sync.',
    isPending: () => true,
    records: ({ found }) => found,
    message: ({ server }, { host }) => `The name server ${server} does not have the DNS record of ${host} yet.`,
    steps: ({ server }) => [`If this lasts for more than an hour, ask your DNS provider why ${server} is out of date.`],
    notes: ({ server, found }, { name: { zone } }) => [
      `The other name servers of ${zone} have the right record; ${server} returns ${phraseOf(found)}.`,
    ],
  }),
}

/** The name and the record as the zone that the host is in has them. @param zone where that is not the registrable domain */
function within(zone: string | undefined, subject: Subject): Subject {
  if (zone === undefined) return subject
  const { host } = subject.name
  const isApex = zone === host
  const label = isApex ? '@' : host.slice(0, -zone.length - 1)
  const name = { host, zone, label, kind: isApex ? 'apex' : 'subdomain' } as const
  return { name, record: recordFor(name, subject.record.value) }
}

function notesOn(delegated: string | undefined, subject: Subject): string[] {
  const { note } = within(delegated, subject).record
  const warning = `${delegated} is a zone with name servers of its own. Keep its NS records: without them, everything in it is gone.`
  return [...(delegated ? [warning] : []), ...(note ? [note] : []), patience]
}

function recordStep(task: string, { name, record: { type, name: label, value, ttl } }: Subject): string {
  return `At the DNS provider of ${name.zone}, ${task}: type ${type}, name ${label}, value ${value}, TTL ${ttl}.`
}
