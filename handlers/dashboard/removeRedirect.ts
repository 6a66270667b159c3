// DELETE /domains/{domain}/redirect
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const removeRedirect: Handler<'removeRedirect'> = async ({ domain }, { domains }) => {
  const served = await domains.removeRedirect(domain)
  return 'refused' in served ? refusal(served.refused) : { status: 200, body: served }
}
