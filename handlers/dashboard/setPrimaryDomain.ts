// PUT /primary
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const setPrimaryDomain: Handler<'setPrimaryDomain'> = async (_params, { domains }, { domain }) => {
  const primary = await domains.setPrimary(domain)
  return 'refused' in primary ? refusal(primary.refused) : { status: 200, body: primary }
}
