// GET /domains
import type { Handler } from './types.ts'

export const listDomains: Handler<'listDomains'> = async (_params, { domains }) => ({
  status: 200,
  body: domains.list(),
})
