// The response to a request that starts an attempt.
import { refusal } from '../../spec/errors.ts'
import type { Begun } from './types.ts'

export function begun(attempt: Begun) {
  if (!('refused' in attempt)) return { status: 202 as const, body: attempt }
  if (attempt.refused !== 'rate_limited') return refusal(attempt.refused, attempt.message)
  const headers = { 'retry-after': String(attempt.retryAfterSeconds) }
  return { ...refusal('rate_limited', attempt.message), headers }
}
