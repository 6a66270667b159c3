// How an apex or its www name can be added together with the other, in words.
import { displayName } from '../dns/name.ts'
import { directed, type Pair, type PairRedirect } from '../dns/pair.ts'
import type { DomainName } from '../state/domain.ts'
import type { Snapshot } from '../state/snapshot.ts'
import type { PairChoices } from './types.ts'

/** @param name the one of the pair that is to be added */
export function pairChoicesOf(name: DomainName, pair: Pair, snapshot: Snapshot): PairChoices {
  const { primary, domains } = snapshot
  const other = pair.apex === name ? pair.www : pair.apex
  const isKnown = domains.has(other.host)
  const toOther: PairRedirect = other === pair.www ? 'to-www' : 'from-www'
  // What is served already stays as it is; for the rest, a CNAME record at www works with every DNS provider.
  const order: PairRedirect[] = isKnown && toOther === 'from-www' ? ['from-www', 'to-www'] : ['to-www', 'from-www']
  const redirects = order.filter((redirect) => directed(pair, redirect).from.host !== primary)
  return {
    question: isKnown ? `${nameOf(other)} has already been added. Set a redirect?` : `Add ${nameOf(other)} as well?`,
    choices: [
      ...redirects.map((redirect, index) => choiceOf(redirect, pair, snapshot, index === 0 && redirects.length > 1)),
      { text: `No, only ${nameOf(name)}` },
    ],
  }
}

/** A redirect leads straight to the primary domain. */
function choiceOf(
  pair: PairRedirect,
  both: Pair,
  { primary, redirects }: Snapshot,
  isRecommended: boolean,
): PairChoices['choices'][number] {
  const { from, to } = directed(both, pair)
  const mark = isRecommended ? ' (recommended)' : ''
  if (primary === undefined || primary === to.host) {
    return { pair, text: `Yes: ${nameOf(from)} redirects to ${nameOf(to)}${mark}` }
  }
  const target = `${displayName(primary)}, the primary domain`
  const verb = redirects.has(to.host) ? 'redirects there as well' : 'serves the documentation'
  return { pair, text: `Yes: ${nameOf(from)} redirects to ${target}${mark}`, note: `${nameOf(to)} ${verb}.` }
}

const nameOf = ({ host }: DomainName) => displayName(host)
