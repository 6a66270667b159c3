// DELETE /domains/{domain}
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const removeDomain: Handler<'removeDomain'> = async ({ domain }, { domains }) => {
  const refused = await domains.remove(domain)
  return refused ? refusal(refused.refused, refused.message) : { status: 204 }
}
