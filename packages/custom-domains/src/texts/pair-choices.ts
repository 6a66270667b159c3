// How an apex or its www name can be added together with the other, in words.
import { displayName } from '../dns/name.ts'
import { type Direction, directed, type Pair } from '../dns/pair.ts'
import type { DomainName } from '../state/domain.ts'
import type { Snapshot } from '../state/snapshot.ts'
import type { PairChoices } from './types.ts'

type Choice = PairChoices['choices'][number]

/** @param name the one of the pair that is to be added */
export function pairChoicesOf(name: DomainName, pair: Pair, snapshot: Snapshot): PairChoices {
  const { primary, domains } = snapshot
  const other = pair.apex === name ? pair.www : pair.apex
  const isAdded = domains.has(other.host)
  const isElsewhere = primary !== undefined && primary !== name.host && primary !== other.host
  const toOther: Direction = other === pair.www ? 'to-www' : 'from-www'
  // What is served already stays as it is; for the rest, a CNAME record at www works with every DNS provider.
  const order: Direction[] = isAdded && toOther === 'from-www' ? ['from-www', 'to-www'] : ['to-www', 'from-www']
  const redirects = isElsewhere
    ? besides(primary, pair, order, snapshot)
    : order
        .map((redirect) => ({ pair: redirect, ...directed(pair, redirect) }))
        .filter(({ from }) => from.host !== primary)
        .map(({ pair, from, to }): Choice => ({ pair, text: `Yes: ${nameOf(from)} redirects to ${nameOf(to)}` }))
  return {
    question: isAdded ? `${nameOf(other)} has already been added. Set a redirect?` : `Add ${nameOf(other)} as well?`,
    choices: [...redirects.map(recommendFirst), { text: `No, only ${nameOf(name)}` }],
  }
}

/** While another domain is the primary one, both can redirect there. */
function besides(primary: string, pair: Pair, order: readonly Direction[], { redirects }: Snapshot): Choice[] {
  const target = `${displayName(primary)}, the primary domain`
  const both = `Yes: ${nameOf(pair.apex)} and ${nameOf(pair.www)} redirect to ${target}`
  const ones = order.flatMap((redirect): Choice[] => {
    const { from, to } = directed(pair, redirect)
    if (redirects.has(to.host)) return []
    const note = `${nameOf(to)} serves a copy of the documentation.`
    return [{ pair: redirect, text: `Yes: ${nameOf(from)} redirects to ${nameOf(to)}`, note }]
  })
  return [{ pair: 'to-primary', text: both }, ...ones]
}

function recommendFirst(choice: Choice, index: number, { length }: readonly Choice[]): Choice {
  return index === 0 && length > 1 ? { ...choice, text: `${choice.text} (recommended)` } : choice
}

const nameOf = ({ host }: DomainName) => displayName(host)
