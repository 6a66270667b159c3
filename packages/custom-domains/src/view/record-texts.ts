// The texts for problems of the DNS record itself, and of the name servers that have it.
import { phraseOf } from './phrases.ts'
import { recordFor } from './record.ts'
import { notYours, patience, type Subject, type TextsOf } from './texts.ts'

const reasons: Readonly<Record<string, string>> = { HTTPS: 'browsers follow it, and it leads elsewhere' }
const conflicts = {
  subdomain: {
    reasonFor: (_type: string) => 'it cannot coexist with a CNAME record',
    notes: ['A wildcard record can stay: the CNAME record takes precedence.'],
  },
  apex: { reasonFor: (type: string) => reasons[type] ?? 'it sends visitors elsewhere', notes: [] },
}

/** The types that a proxy, or flattening, shows in the place of the record. */
const replacing = ['A', 'AAAA', 'HTTPS']

const list = (words: readonly string[]) => new Intl.ListFormat('en').format(words)

export const recordTexts: TextsOf<
  'record_missing' | 'conflicting_record' | 'cname_mismatch' | 'dns_unreachable' | 'record_not_everywhere'
> = {
  record_missing: {
    message: (_problem, { host }) => `There is no DNS record for ${host}.`,
    steps({ delegated, doubled }, subject) {
      const placed = within(delegated, subject)
      const { zone, label } = placed.name
      const rename = `There is a record for ${doubled}: your DNS provider appended ${zone} to its name. Change the name to ${label}.`
      return doubled ? [rename] : [recordStep('create this record', placed)]
    },
    notes: ({ delegated }, subject) => notesOn(delegated, subject),
  },
  conflicting_record: {
    message({ via }, { host }) {
      if (via === 'proxy') return `The DNS record of ${host} is proxied: DNS returns addresses of the proxy.`
      if (via === 'flattening') return `${host} has the addresses of the platform, but not the CNAME record.`
      return `${host} has conflicting DNS records.`
    },
    steps({ found, via, delegated }, subject) {
      const placed = within(delegated, subject)
      const { kind, label, zone } = placed.name
      const { reasonFor } = conflicts[kind]
      const visible = found.filter(({ type }) => via === undefined || !replacing.includes(type))
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
  },
  cname_mismatch: {
    message: ({ found, expected }, { host }) =>
      `The CNAME record of ${host} has the value ${found}. It must be exactly ${expected}.`,
    steps({ expected, isZoneAppended, delegated }, subject) {
      const { zone, label } = within(delegated, subject).name
      const change = `Change the value of the CNAME record ${label} to ${expected}.`
      const appended = `Your DNS provider appended ${zone} to the value: end it with a dot, "${expected}."`
      return isZoneAppended ? [change, appended] : [change]
    },
    notes: () => [patience],
  },
  dns_unreachable: {
    message: ({ name, refused }) =>
      refused
        ? `No name server of ${refused.zone} serves it: queries to ${list(refused.servers)} are refused.`
        : `The DNS lookup of ${name} failed.`,
    steps({ refused }, { name }) {
      if (!refused) return []
      const { zone, servers } = refused
      const check = `Check at the DNS provider whether the zone ${zone} still exists. If it was deleted, create it again.`
      if (zone !== name.zone)
        return [check, `If you no longer need it, delete its NS records at the DNS provider of ${name.zone}.`]
      const move = `at the registrar of ${zone}, replace ${list(servers)} by the name servers of that provider.`
      return [check, `If the zone is at another DNS provider: ${move}`]
    },
    notes: ({ refused }) => [refused ? patience : notYours],
  },
  record_not_everywhere: {
    message: ({ server }, { host }) => `The name server ${server} does not have the DNS record of ${host} yet.`,
    notes: ({ server, found }, { name: { zone } }) => [
      `The other name servers of ${zone} have the right record; ${server} returns ${phraseOf(found)}.`,
      'DNS providers update all their name servers within minutes. If this lasts longer, ask your DNS provider.',
    ],
  },
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
