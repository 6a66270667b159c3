// Sentences about retries and certificates that several texts share.
import { isQueued, retryAt } from '../maintenance/schedule.ts'
import { definitionOf } from '../problems/index.ts'
import type { CertificateDates, Domain } from '../state/domain.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function nextRetry(domain: Domain, now: Date): string {
  const at = retryAt(domain, now)
  if (!at) return 'Automatic retries have stopped: re-verify the domain.'
  const wait = at.getTime() - now.getTime()
  if (isQueued(domain.problem))
    return `It waits for its turn, which comes ${wait > 0 ? `in about ${durationOf(wait)}` : 'now'}.`
  if (at <= now) return 'The next automatic check starts now.'
  return `The next automatic check is at ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC.`
}

/** @returns a sentence for each other authority that was tried */
export function failuresOf({ failures = [], name }: Domain): string[] {
  return failures.map(({ authority, problem }) => {
    const { message } = definitionOf(problem)
    return `The authority ${new URL(authority).host} was tried, too: ${message(problem, name)}`
  })
}

export function validityOf({ notAfter }: CertificateDates, now: Date): string {
  const left = -since(notAfter, now)
  const days = Math.floor(left / DAY)
  if (left <= 0) return `The certificate expired at ${format(new Date(notAfter))}.`
  const period = days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`
  return `The certificate is valid until ${format(new Date(notAfter))} (${period} left).`
}

const units: readonly (readonly [name: string, ms: number])[] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1000],
]

/** Rounded up, in the largest unit of which there are more than two: `20 seconds`, `25 minutes`, `3 hours` or `4 days`. */
export function durationOf(ms: number): string {
  const [name, length] = units.find(([, length]) => ms > 2 * length) ?? (units.at(-1) as (typeof units)[number])
  const count = Math.ceil(ms / length)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** Milliseconds. */
export function since(time: string, now: Date): number {
  return now.getTime() - Date.parse(time)
}

/** `2026-11-21 10:30 UTC` */
export function format(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export function join(...sentences: (string | false | undefined)[]): string {
  return sentences.filter(Boolean).join(' ')
}
