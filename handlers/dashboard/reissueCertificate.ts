// POST /domains/{domain}/reissue
import { begun } from './begun.ts'
import type { Handler } from './types.ts'

export const reissueCertificate: Handler<'reissueCertificate'> = async ({ domain }, { domains }) =>
  begun(await domains.reissue(domain))
