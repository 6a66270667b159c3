// PUT /domains/{domain}/redirect
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const setRedirect: Handler<'setRedirect'> = async ({ domain }, { domains }, { status = 301 }) => {
  const redirected = await domains.setRedirect(domain, status)
  return 'refused' in redirected ? refusal(redirected.refused) : { status: 200, body: redirected }
}
