// Stability, deprecation and sunset of an operation, in words.
import type { Operation } from '../spec/document.ts'
import type { Badge } from './tree.ts'

export function badgesOf({ deprecated, 'x-stability': stability, 'x-sunset': sunset }: Operation): Badge[] {
  return [
    stability !== undefined && { kind: 'stability', text: stability },
    deprecated && { kind: 'deprecated', text: 'deprecated' },
    sunset !== undefined && { kind: 'sunset', text: `sunset ${formatDate(sunset)}` },
  ].filter((badge) => typeof badge === 'object')
}

export function noticeOf({ deprecated, 'x-deprecated-since': since, 'x-sunset': sunset }: Operation) {
  if (!deprecated) return undefined
  const dates = [
    since !== undefined && ` since ${formatDate(since)}`,
    sunset !== undefined && `; it may be removed from ${formatDate(sunset)} on`,
  ]
  return `Deprecated${dates.filter((text) => text !== false).join('')}.`
}

/** `2027-12-31` as `December 31, 2027`. */
function formatDate(date: string): string {
  return new Date(date).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
}
