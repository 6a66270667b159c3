import t from 'tap'
import { domainOf, registryOf } from '../fixtures/registry.ts'

const certificateUntil = (notAfter: string) => ({ issuer: 'Tests', notBefore: '2026-11-01T00:00:00.000Z', notAfter })
const late = certificateUntil('2027-02-01T00:00:00.000Z')
const soon = certificateUntil('2026-12-01T00:00:00.000Z')
const _problem = { code: 'record_missing' } as const

t.test('the certificates that expire next come first', async (t) => {
  const { registry } = await registryOf({
    domains: [
      domainOf('late.test', { certificate: late }),
      domainOf('none.test'),
      domainOf('soon.test', { certificate: soon }),
    ],
  })
  t.strictSame(registry.certificates(), [
    { domain: 'soon.test', notAfter: soon.notAfter },
    { domain: 'late.test', notAfter: late.notAfter },
  ])
})
