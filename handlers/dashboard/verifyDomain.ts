// POST /domains/{domain}/verify
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const verifyDomain: Handler<'verifyDomain'> = async ({ domain }, { domains }) => {
  const begun = await domains.verify(domain)
  if (!('refused' in begun)) return { status: 202, body: begun }
  if (begun.refused !== 'rate_limited') return refusal(begun.refused)
  return { ...refusal('rate_limited', begun.message), headers: { 'retry-after': String(begun.retryAfterSeconds) } }
}
