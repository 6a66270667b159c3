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

interface Redirect {
  pair: PairRedirect
  from: string
  to: string
}

/** Offers a host to be added together with the other name of its pair. */
export function pairChoicesOf({ host, counterpart }: Pair, { primary, find }: Known): PairChoices {
  const isAdded = find(counterpart) !== undefined
  const [apex, www] = counterpart === `www.${host}` ? [host, counterpart] : [counterpart, host]
  const toWww: Redirect = { pair: 'to-www', from: apex, to: www }
  const fromWww: Redirect = { pair: 'from-www', from: www, to: apex }
  // What is served already stays as it is; for the rest, a CNAME record at www works with every DNS provider.
  const redirects = isAdded && host === www ? [fromWww, toWww] : [toWww, fromWww]
  const offered =
    primary === undefined || primary === apex || primary === www
      ? redirects.filter(({ from }) => from !== primary).map(choiceOf)
      : [
          bothTo(primary, apex, www),
          ...redirects
            .filter(({ to }) => !find(to)?.redirect)
            .map((redirect) => ({
              ...choiceOf(redirect),
              note: `${nameOf(redirect.to)} serves a copy of the documentation.`,
            })),
        ]
  return {
    question: isAdded
      ? `${nameOf(counterpart)} has already been added. Set a redirect?`
      : `Add ${nameOf(counterpart)} as well?`,
    choices: [...offered.map(recommendFirst), { text: `No, only ${nameOf(host)}` }],
  }
}

function choiceOf({ pair, from, to }: Redirect): Choice {
  return { pair, text: `Yes: ${nameOf(from)} redirects to ${nameOf(to)}` }
}

function bothTo(primary: string, apex: string, www: string): Choice {
  const text = `Yes: ${nameOf(apex)} and ${nameOf(www)} redirect to ${nameOf(primary)}, the primary domain`
  return { pair: 'to-primary', text }
}

function recommendFirst(choice: Choice, index: number, { length }: readonly Choice[]): Choice {
  return index === 0 && length > 1 ? { ...choice, text: `${choice.text} (recommended)` } : choice
}
