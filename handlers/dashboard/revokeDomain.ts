// POST /domains/{domain}/revoke
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const revokeDomain: Handler<'revokeDomain'> = async ({ domain }, { domains }, { reason }) => {
  const refused = await domains.revoke(domain, reason)
  return refused ? refusal(refused.refused, refused.message) : { status: 204 }
}
