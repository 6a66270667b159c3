// How an apex or its www name can be added together with the other, in words.
import { domainToUnicode as nameOf } from 'node:url'
import type { Pair } from 'custom-domains'
import type { components } from './api/dashboard.d.ts'

export type PairChoices = components['schemas']['PairChoices']
export type PairRedirect = components['schemas']['PairRedirect']
type Choice = PairChoices['choices'][number]

interface Known {
  primary: string | undefined
  /** A domain that has been added, and whether it redirects. */
  find(host: string): { redirect?: unknown } | undefined
}

/** @param pair a host to be added, and the other name of its pair */
export function pairChoicesOf(pair: Pair, { primary, find }: Known): PairChoices {
  const { host, counterpart } = pair
  const isAdded = find(counterpart) !== undefined
  const toCounterpart = counterpart === `www.${host}` ? 'to-www' : 'from-www'
  // What is served already stays as it is; for the rest, a CNAME record at www works with every DNS provider.
  const directions =
    isAdded && toCounterpart === 'from-www' ? (['from-www', 'to-www'] as const) : (['to-www', 'from-www'] as const)
  const redirects = directions.map((direction) => {
    const [from, to] = direction === toCounterpart ? [host, counterpart] : [counterpart, host]
    return { from, to, pair: direction, text: `Yes: ${nameOf(from)} redirects to ${nameOf(to)}` }
  })
  const isElsewhere = primary !== undefined && primary !== host && primary !== counterpart
  const offered: Choice[] = isElsewhere
    ? []
    : redirects.filter(({ from }) => from !== primary).map(({ pair, text }) => ({ pair, text }))
  if (isElsewhere) {
    const [apex, www] = toCounterpart === 'to-www' ? [host, counterpart] : [counterpart, host]
    const text = `Yes: ${nameOf(apex)} and ${nameOf(www)} redirect to ${nameOf(primary)}, the primary domain`
    offered.push({ pair: 'to-primary', text })
    for (const { to, pair, text } of redirects)
      if (!find(to)?.redirect) offered.push({ pair, text, note: `${nameOf(to)} serves a copy of the documentation.` })
  }
  return {
    question: isAdded
      ? `${nameOf(counterpart)} has already been added. Set a redirect?`
      : `Add ${nameOf(counterpart)} as well?`,
    choices: [...offered.map(recommendFirst), { text: `No, only ${nameOf(host)}` }],
  }
}

function recommendFirst(choice: Choice, index: number, { length }: readonly Choice[]): Choice {
  return index === 0 && length > 1 ? { ...choice, text: `${choice.text} (recommended)` } : choice
}
