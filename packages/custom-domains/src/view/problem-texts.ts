// The texts for each problem: what is wrong, what to do, and what else to know.
import type { DomainName, Problem, ProblemCode } from '../state/domain.ts'
import { phraseOf } from './phrases.ts'
import type { RequiredRecord } from './types.ts'

/** The domain with the problem, and the record that it requires. */
export interface Subject {
  name: DomainName
  record: RequiredRecord
}

interface Texts<P extends Problem> {
  message(problem: P, name: DomainName): string
  /** What the user does. */
  steps?(problem: P, subject: Subject): string[]
  /** What else there is to know. */
  notes?(problem: P, subject: Subject): string[]
}

const patience = 'DNS changes can take up to 48 hours.'
const forOperator = "The platform's operator must fix this. Your DNS records can stay as they are."
const dnssecStep = (zone: string) =>
  `Check DNSSEC for ${zone}: the DS record at the registrar must belong to a key of the zone, or be deleted.`
const notYours = () => ['This is a failure of DNS servers, not of your records: they can stay as they are.']

const conflicts = {
  subdomain: {
    reason: 'it cannot coexist with a CNAME record',
    notes: ['A wildcard record can stay: the CNAME record takes precedence.'],
  },
  apex: { reason: 'it sends visitors elsewhere', notes: [] },
}

const texts: { readonly [Code in ProblemCode]: Texts<Extract<Problem, { code: Code }>> } = {
  record_missing: {
    message: (_problem, { host }) => `There is no DNS record for ${host}.`,
    steps: (_problem, subject) => [recordStep('create this record', subject)],
    notes: (_problem, { record: { note } }) => [...(note ? [note] : []), patience],
  },
  conflicting_record: {
    message: (_problem, { host }) => `${host} has conflicting DNS records.`,
    steps({ found }, subject) {
      const { reason } = conflicts[subject.name.kind]
      const deletions = found.map(({ type, value }) => `Delete the ${type} record ${value}: ${reason}.`)
      return [...deletions, recordStep('create this record if it does not exist', subject)]
    },
    notes: (_problem, { name, record: { note } }) => [...conflicts[name.kind].notes, ...(note ? [note] : []), patience],
  },
  cname_mismatch: {
    message: ({ found, expected }, { host }) =>
      `The CNAME record of ${host} has the value ${found}. It must be exactly ${expected}.`,
    steps: ({ expected, isZoneAppended }, { name: { zone, label } }) => [
      `Change the value of the CNAME record ${label} to ${expected}.`,
      ...(isZoneAppended ? [`Your DNS provider appended ${zone} to the value: end it with a dot, "${expected}."`] : []),
    ],
    notes: () => [patience],
  },
  target_unresolvable: {
    message: ({ target }) => `The platform's own name, ${target}, has no address.`,
    notes: () => [forOperator],
  },
  dns_unreachable: {
    message: ({ name }) => `DNS did not answer for ${name}.`,
    notes: notYours,
  },
  dnssec_broken: {
    message: ({ name }) => `The DNSSEC signatures of ${name} are not valid, so resolvers reject its records.`,
    steps: (_problem, { name: { zone } }) => [dnssecStep(zone)],
    notes: () => [patience],
  },
  record_not_everywhere: {
    message: ({ server }, { host }) => `The name server ${server} does not have the DNS record of ${host} yet.`,
    notes: ({ server, found }, { name: { zone } }) => [
      `The other name servers of ${zone} have the right record; ${server} answers with ${phraseOf(found)}.`,
      'DNS providers update all their name servers within minutes. If this lasts longer, ask your DNS provider.',
    ],
  },
  caa_blocks: {
    message: ({ level, detail = '' }) =>
      `The CAA records of ${level} do not allow the certificate${detail && `: "${detail}"`}.`,
    steps({ level, alias, found, expected }, { name, record: { value: target } }) {
      if (isOfPlatform(level, alias, name, target)) return []
      const records = found.map((record) => `The current record is ${record}.`)
      if (alias !== undefined) {
        const change = expected === '' ? 'to delete it.' : `to add this record: ${expected}`
        return [...records, `${alias} is an alias of ${level}. Ask whoever manages ${level} ${change}`]
      }
      if (expected !== '') return [...records, `Add this record: ${expected}`]
      return found.map(
        (record) =>
          `Delete the CAA record ${record}: it is marked critical, and certificate authorities do not know its tag.`,
      )
    },
    notes: ({ level, alias }, { name, record: { value: target } }) =>
      isOfPlatform(level, alias, name, target) ? [forOperator] : [],
  },
  caa_unreachable: {
    message: ({ level }) => `DNS did not answer for the CAA records of ${level}, which must be checked first.`,
    notes: notYours,
  },
  rate_limited: {
    message: ({ detail }) => `No certificate can be ordered at the moment: "${detail}"`,
  },
  ca_unavailable: {
    message: ({ detail }) => `The certificate authority is unavailable: "${detail}"`,
  },
  ca_cannot_connect: {
    message: ({ detail }, { host }) => `The certificate authority could not reach ${host}: "${detail}"`,
    steps: (_problem, { name: { host } }) => [
      `Allow requests to http://${host} on port 80 to reach the platform.`,
      `Turn off any proxy or firewall in front of ${host}, including your DNS provider's.`,
      `Delete AAAA records of ${host} that point elsewhere.`,
    ],
  },
  ca_cannot_resolve: {
    message: ({ detail }, { host }) => `The certificate authority could not look up ${host}: "${detail}"`,
    steps: (_problem, { name: { zone } }) => [
      dnssecStep(zone),
      `Make sure that every name server of ${zone} answers, for A, AAAA and CAA records too.`,
    ],
  },
  ca_refused: {
    message: ({ detail }) => `The certificate authority refused the order: "${detail}"`,
  },
  certificate_expired: {
    message: () => 'The certificate expired before it was renewed.',
  },
  storage_failed: {
    message: ({ detail }) => `The platform could not save the domain or its certificate: "${detail}"`,
    notes: () => [forOperator],
  },
}

export function textsOf(problem: Problem): Texts<Problem> {
  return texts[problem.code]
}

/** Users point their domains to the platform's CNAME target, so what that leads to is its operator's. */
function isOfPlatform(level: string, alias: string | undefined, { host, kind }: DomainName, target: string): boolean {
  return level === target || (kind === 'subdomain' && alias === host)
}

function recordStep(task: string, { name, record: { type, name: label, value, ttl } }: Subject): string {
  return `At the DNS provider of ${name.zone}, ${task}: type ${type}, name ${label}, value ${value}, TTL ${ttl}.`
}
