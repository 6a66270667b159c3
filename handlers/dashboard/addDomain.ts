// POST /domains
import { refusal } from '../../spec/errors.ts'
import type { Handler } from './types.ts'

export const addDomain: Handler<'addDomain'> = async (_params, { domains }, { domain, pair }) => {
  const added = await domains.add(domain, pair)
  return 'refused' in added ? refusal(added.refused, added.message) : { status: 201, body: added }
}
