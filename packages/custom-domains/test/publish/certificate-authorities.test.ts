import t from 'tap'
import type { AcmeOptions } from '../../src/acme/issuer.ts'
import type { Issuer } from '../../src/certificates/issuer.ts'
import { certificateAuthorities } from '../../src/publish/certificate-authorities.ts'
import { loadDomainState } from '../../src/state/domain-state.ts'
import { domainOf, emptyDisk, fakeClock, storageOn } from '../fixtures/domains.ts'

const directoryUrl = 'https://ca.test'

t.test('an account that two sessions register at once is logged once, and its replacement as well', async (t) => {
  const lines: string[] = []
  const note = (level: string) => (details: object, message: string) =>
    void lines.push(`${level}: ${message} ${JSON.stringify(details)}`)
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const storage = storageOn(emptyDisk())
  const state = await loadDomainState(storage, domainOf)
  let onAccount: AcmeOptions['onAccount']
  const issuerAt = (options: AcmeOptions) => {
    onAccount = options.onAccount
    return { authority: directoryUrl } as Issuer
  }
  const challenges = new Map()
  const clock = fakeClock()
  certificateAuthorities([{ directoryUrl }], { storage, state, challenges, issuerAt, clock, log: () => log })

  await Promise.all(['/A', '/A', '/B', '/B'].map((account) => onAccount?.(account)))
  await onAccount?.('/B')
  t.strictSame(lines, [
    'info: an account has been registered at the authority {"authority":"https://ca.test","account":"/A"}',
    'warn: the authority no longer accepts the former account: another one has been registered {"authority":"https://ca.test","account":"/B","former":"/A"}',
  ])
})
