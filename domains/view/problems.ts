// What is said of each problem, and what there is to do.
import type { DomainName, Problem, ProblemCode } from '../state/domain.ts'

/** The DNS record that a domain needs. */
export interface NeededRecord {
  type: 'CNAME' | 'ALIAS'
  /** The label before the zone, or `@`. */
  name: string
  value: string
  /** Seconds. */
  ttl: number
  /** What to know of it; empty when there is nothing. */
  note: string
}

export interface Place {
  name: DomainName
  record: NeededRecord
}

interface Texts<P extends Problem> {
  message(problem: P, name: DomainName): string
  steps(problem: P, place: Place): string[]
}

const patience = 'DNS changes can take up to 48 hours.'
const forOperator = "The platform's operator has to mend this: your DNS records can stay as they are."
const nothingToDo = () => []

const conflicts = {
  subdomain: {
    reason: 'a CNAME cannot stand beside it',
    steps: ['A wildcard record can stay: the CNAME goes before it.'],
  },
  apex: { reason: 'it leads visitors elsewhere', steps: [] },
}

const texts: { readonly [Code in ProblemCode]: Texts<Extract<Problem, { code: Code }>> } = {
  record_missing: {
    message: (_problem, { host }) => `There is no DNS record for ${host}.`,
    steps: (_problem, place) => [...recordSteps('Make this record', place), patience],
  },
  conflicting_record: {
    message: (_problem, { host }) => `Other DNS records of ${host} are in the way.`,
    steps({ found }, place) {
      const { reason, steps } = conflicts[place.name.kind]
      const deletions = found.map(({ type, value }) => `Delete the ${type} record ${value}: ${reason}.`)
      return [...deletions, ...steps, ...recordSteps('Make this record, unless it is there,', place), patience]
    },
  },
  cname_mismatch: {
    message: ({ found, expected }, { host }) =>
      `The CNAME record of ${host} has the value ${found}: it must be exactly ${expected}.`,
    steps: ({ expected, isZoneAppended }, { name: { zone, label } }) => [
      `Change the value of the CNAME record ${label} to ${expected}.`,
      ...(isZoneAppended
        ? [`Your DNS provider has put ${zone} behind it: write a dot at its end, "${expected}."`]
        : []),
      patience,
    ],
  },
  target_unresolvable: {
    message: ({ target }) => `The platform's own name, ${target}, has no address.`,
    steps: () => [forOperator],
  },
  dns_unreachable: {
    message: ({ name }) => `The DNS gave no answer about ${name}.`,
    steps: nothingToDo,
  },
  caa_blocks: {
    message: ({ level }) => `The CAA records of ${level} do not allow the certificate.`,
    steps({ level, found, expected }, { name: { host } }) {
      if (host !== level && !host.endsWith(`.${level}`)) return [forOperator]
      if (expected !== '') {
        return [...found.map((record) => `Today there is ${record}.`), `Add this record: ${expected}`]
      }
      return found.map(
        (record) => `Delete the CAA record ${record}: it is critical, and certificate authorities do not know its tag.`,
      )
    },
  },
  caa_unreachable: {
    message: ({ level }) => `The DNS gave no answer about the CAA records of ${level}, which a certificate needs.`,
    steps: nothingToDo,
  },
  rate_limited: {
    message: ({ detail }) => `No certificate can be ordered for now: "${detail}"`,
    steps: nothingToDo,
  },
  ca_unavailable: {
    message: ({ detail }) => `The certificate authority is not available: "${detail}"`,
    steps: nothingToDo,
  },
  ca_cannot_connect: {
    message: ({ detail }, { host }) => `The certificate authority could not reach ${host}: "${detail}"`,
    steps: (_problem, { name: { host } }) => [
      `Let requests to http://${host} through to the platform, on port 80.`,
      `Switch off any proxy or firewall before ${host}, also one of your DNS provider.`,
      `Delete AAAA records of ${host} that lead elsewhere.`,
    ],
  },
  ca_refused: {
    message: ({ detail }) => `The certificate authority refused the order: "${detail}"`,
    steps: nothingToDo,
  },
  certificate_expired: {
    message: () => 'The certificate ended before another came.',
    steps: nothingToDo,
  },
  storage_failed: {
    message: ({ detail }) => `The platform could not save the domain or its certificate: "${detail}"`,
    steps: () => [forOperator],
  },
}

export function textsOf(problem: Problem): Texts<Problem> {
  return texts[problem.code]
}

function recordSteps(task: string, { name, record: { type, name: label, value, ttl, note } }: Place): string[] {
  const step = `${task} at the DNS provider of ${name.zone}: type ${type}, name ${label}, value ${value}, TTL ${ttl}.`
  return note === '' ? [step] : [step, note]
}
