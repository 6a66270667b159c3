// POST /domains
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const addDomain: Handler<'addDomain'> = async (_params, { domains }, { domain }) => {
  const added = await domains.add(domain)
  return 'refused' in added ? refusal(added.refused, added.message) : { status: 201, body: added }
}
