// POST /domains/{domain}/verify
import { begun } from './begun.ts'
import type { Handler } from './types.ts'

export const verifyDomain: Handler<'verifyDomain'> = async ({ domain }, { domains }) =>
  begun(await domains.verify(domain))
