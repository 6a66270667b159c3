// The texts for each problem: what is wrong, what to do, and what else to know.
import type { DomainName, Problem, ProblemCode } from '../state/domain.ts'
import { recordTexts } from './record-texts.ts'
import { forOperator, notYours, patience, type Texts, type TextsOf } from './texts.ts'

const dnssecStep = (zone: string) =>
  `Check DNSSEC for ${zone}: the DS record at the registrar must belong to a key of the zone, or be deleted.`
const texts: TextsOf<ProblemCode> = {
  ...recordTexts,
  target_unresolvable: {
    message: ({ target }) => `The platform's own name, ${target}, has no address.`,
    notes: () => [forOperator],
  },
  dnssec_broken: {
    message: ({ name }) => `The DNSSEC signatures of ${name} are not valid, so resolvers reject its records.`,
    steps: (_problem, { name: { zone } }) => [dnssecStep(zone)],
    notes: () => [patience],
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
    message: ({ level }) => `The DNS lookup of the CAA records of ${level} failed. They must be checked first.`,
    notes: () => [notYours],
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
      `Make sure that every name server of ${zone} responds to A, AAAA and CAA queries.`,
    ],
  },
  ca_refused: {
    message: ({ detail, url }) =>
      `The certificate authority refused the order: "${detail}"${url ? ` The platform's operator must act: ${url}` : ''}`,
  },
  certificate_expired: {
    message: () => 'The certificate expired before it was renewed.',
  },
  storage_failed: {
    message: ({ detail }) => `The platform could not save the domain or its certificate: "${detail}"`,
    notes: () => [forOperator],
  },
  record_damaged: {
    message: ({ detail }, { host }) => `The stored record of ${host} is damaged: ${detail}.`,
    steps: () => ['Choose Verify: the record is then written anew.'],
    notes: () => ['Until then, its certificate is not renewed.'],
  },
}

export function textsOf(problem: Problem): Texts<Problem> {
  return texts[problem.code]
}

/** Users point their domains to the platform's CNAME target, so what that leads to is its operator's. */
function isOfPlatform(level: string, alias: string | undefined, { host, kind }: DomainName, target: string): boolean {
  return level === target || (kind === 'subdomain' && alias === host)
}
