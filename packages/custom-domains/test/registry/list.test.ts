import t from 'tap'
import { DAY } from '../fixtures/clock.ts'
import { worldOf } from '../fixtures/domains.ts'
import { domainOf, now, registryOf } from '../fixtures/registry.ts'

const certificateUntil = (notAfter: string) => ({ issuer: 'Tests', notBefore: '2026-11-01T00:00:00.000Z', notAfter })
const late = certificateUntil('2027-02-01T00:00:00.000Z')
const soon = certificateUntil('2026-12-01T00:00:00.000Z')
const problem = { code: 'record_missing' } as const

t.test('domains that need attention come first; the others keep their order', async (t) => {
  const domains = [
    domainOf('live.test', { state: 'live', certificate: late }),
    domainOf('added.test'),
    domainOf('broken.test', { state: 'live', certificate: soon, problem }),
    domainOf('failed.test', { state: 'failed', problem }),
    domainOf('new.test'),
  ]
  const { registry } = await registryOf({ domains })
  const listed = registry.list({ sort: 'attention' }).domains.map(({ domain }) => domain)
  t.strictSame(listed, ['failed.test', 'broken.test', 'added.test', 'new.test', 'live.test'])
})

t.test('a list looks through the redirects at most once, however many domains it has', async (t) => {
  const { registry, state } = await worldOf(t)
  for (const host of ['one.test', 'two.test', 'three.test']) await registry.add(host)
  await registry.redirect('one.test', 'two.test')
  const walks = t.capture(state.current().redirects, 'values', state.current().redirects.values)
  t.match(registry.list().domains, [{ hint: undefined }, { hint: /redirect to it/ }, { hint: undefined }])
  t.ok(walks().length <= 1)
})

t.test('the certificates that expire next come first', async (t) => {
  const dated = [domainOf('late.test', { certificate: late }), domainOf('soon.test', { certificate: soon })]
  const { registry } = await registryOf({ domains: [domainOf('none.test'), ...dated] })
  t.strictSame(registry.certificates(), [
    { domain: 'soon.test', notAfter: soon.notAfter },
    { domain: 'late.test', notAfter: late.notAfter },
  ])
})

t.test('changes that the storage has lost are reported for a day', async (t) => {
  for (const days of [0.5, 1.5]) {
    const rewound = { at: new Date(now.getTime() - days * DAY).toISOString(), domains: ['lost.test'] }
    const { registry } = await registryOf({ rewound })
    t.strictSame(registry.list().rewound, days < 1 ? rewound : undefined)
  }
})
