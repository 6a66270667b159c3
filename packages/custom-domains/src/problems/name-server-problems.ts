// Problems of the name servers, and of the platform's own records.
import { dnssecStep, list, patience, problem } from './problem.ts'

export const serverProblems = {
  target_unresolvable: problem<{ target: string }>({
    about: 'dns',
    addressee: 'operator',
    isTransient: true,
    cause: "The platform's CNAME target has no address.",
    message: ({ target }) => `The platform's own name, ${target}, has no address.`,
  }),

  /** `refused`: none of the zone's name servers serves it. */
  dns_unreachable: problem<{ name: string; refused?: { zone: string; servers: string[] } }>({
    about: 'dns',
    addressee: {
      among: ['user', 'operator'],
      of: ({ name }, { record }) => (name === record.value ? 'operator' : 'user'),
    },
    isTransient: true,
    isUnresolved: true,
    isPending: ({ refused }) => refused === undefined,
    cause:
      'The name servers do not respond, or refuse the zone: it was deleted, or the registrar names the wrong servers.',
    message: ({ name, refused }) =>
      refused
        ? `No name server of ${refused.zone} serves it: queries to ${list(refused.servers)} are refused.`
        : `The DNS lookup of ${name} failed.`,
    steps({ refused }, { name }) {
      if (!refused)
        return [
          `Your DNS records can stay. If this lasts for more than an hour, ask the DNS provider of ${name.zone} why its name servers fail.`,
        ]
      const { zone, servers } = refused
      const check = `Check at the DNS provider whether the zone ${zone} still exists. If it was deleted, create it again.`
      if (zone !== name.zone)
        return [check, `If you no longer need it, delete its NS records at the DNS provider of ${name.zone}.`]
      const move = `at the registrar of ${zone}, replace ${list(servers)} by the name servers of that provider.`
      return [check, `If the zone is at another DNS provider: ${move}`]
    },
    notes: ({ refused }) => (refused ? [patience] : []),
  }),

  dnssec_broken: problem<{ name: string }>({
    about: 'dns',
    addressee: 'user',
    isUnresolved: true,
    cause: "A validating resolver rejects the zone's signatures.",
    message: ({ name }) => `The DNSSEC signatures of ${name} are not valid, so resolvers reject its records.`,
    steps: (_problem, { name: { zone } }) => [dnssecStep(zone)],
    notes: () => [patience],
  }),
}
