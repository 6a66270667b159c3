// Sentences about retries and certificates that several texts share.
import type { CertificateDates, Problem } from '../state/domain.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function nextRetry({ code }: Problem, at: Date | undefined, now: Date): string {
  if (!at) return 'Automatic retries have stopped: choose Re-verify.'
  if (at <= now) return 'The next automatic retry starts now.'
  const isBarred = code === 'rate_limited'
  const minute = new Date(Math.ceil(at.getTime() / MINUTE) * MINUTE) // never one that has passed
  return `The next automatic retry is at ${format(minute)}${isBarred ? '' : '; Re-verify retries now'}.`
}

export function validityOf({ notAfter }: CertificateDates, now: Date): string {
  const left = -since(notAfter, now)
  const days = Math.floor(left / DAY)
  if (left <= 0) return `The certificate expired at ${format(new Date(notAfter))}.`
  const period = days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`
  return `The certificate is valid until ${format(new Date(notAfter))} (${period} left).`
}

/** Rounded up: `1 minute`, `25 minutes` or `3 hours`. */
export function durationOf(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE)
  if (minutes > 120) return `${Math.ceil(ms / HOUR)} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
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
