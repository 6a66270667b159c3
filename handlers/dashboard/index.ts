// The table from operationId to handler.
import { addDomain } from './addDomain.ts'
import { getPairChoices } from './getPairChoices.ts'
import { listDomains } from './listDomains.ts'
import { reissueCertificate } from './reissueCertificate.ts'
import { removeDomain } from './removeDomain.ts'
import { removeRedirect } from './removeRedirect.ts'
import { revokeDomain } from './revokeDomain.ts'
import { setPrimaryDomain } from './setPrimaryDomain.ts'
import { setRedirect } from './setRedirect.ts'
import type { Handlers } from './types.ts'
import { verifyDomain } from './verifyDomain.ts'

export const dashboardHandlers: Handlers = {
  listDomains,
  addDomain,
  getPairChoices,
  removeDomain,
  verifyDomain,
  reissueCertificate,
  revokeDomain,
  setPrimaryDomain,
  setRedirect,
  removeRedirect,
}
