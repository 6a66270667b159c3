// GET /pairs/{domain}
import type { Handler } from './types.ts'

export const getPairChoices: Handler<'getPairChoices'> = async ({ domain }, { domains }) => ({
  status: 200,
  body: domains.pairChoices(domain),
})
