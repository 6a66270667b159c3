// Stability, deprecation and sunset, in plain words.
import type { Operation } from 'exact-openapi/model'
import { ofOperation } from '../extensions.ts'

export function badgesOf(operation: Operation) {
  const { 'x-stability': stability, 'x-sunset': sunset } = ofOperation(operation)
  return [
    stability !== undefined && { kind: 'stability', text: stability },
    operation.deprecated && { kind: 'deprecated', text: 'deprecated' },
    sunset !== undefined && { kind: 'sunset', text: `sunset ${formatDate(sunset)}` },
  ].filter((badge) => typeof badge === 'object')
}

export function noticeOf(operation: Operation) {
  if (!operation.deprecated) return undefined
  const { 'x-deprecated-since': since, 'x-sunset': sunset } = ofOperation(operation)
  const dates = [
    since !== undefined && ` since ${formatDate(since)}`,
    sunset !== undefined && `; may be removed from ${formatDate(sunset)} on`,
  ]
  return `Deprecated${dates.filter((text) => text !== false).join('')}.`
}

/** `2027-12-31` as `December 31, 2027`. */
function formatDate(date: string): string {
  return new Date(date).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
}
