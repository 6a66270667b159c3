// A domain from its first record to its certificate, with records that are wrong on the way.
import t from 'tap'
import { until } from './built.ts'
import { apiKey, leadsHere, platform, target } from './published.ts'
import { noCertificate } from './visitor.ts'

t.test('a wrong record is reported; once it is fixed, the domain goes live with its own certificate', async (t) => {
  const { zone, visit, start } = await platform(t)
  const server = await start()
  zone['docs.shop.test'] = { A: ['198.51.100.1'] }
  zone['help.shop.test'] = { CNAME: ['elsewhere.example'] }

  const added = await server.domains('add', 'docs.shop.test')
  t.strictSame(added, {
    code: 0,
    stdout: `Added docs.shop.test. Create this DNS record, then verify:\n\n  CNAME  docs  ${target}  TTL 3600\n`,
    stderr: '',
  })
  await server.domains('add', 'help.shop.test')

  const expected = {
    'docs.shop.test': [
      'Delete the A record 198.51.100.1: it cannot coexist with a CNAME record.',
      'At the DNS provider of shop.test, create this record if it does not exist: ' +
        `type CNAME, name docs, value ${target}, TTL 3600.`,
    ],
    'help.shop.test': [`Change the value of the CNAME record help to ${target}.`],
  }
  for (const [host, steps] of Object.entries(expected)) {
    const { code, stdout } = await server.domains('verify', host)
    t.equal(code, 1)
    t.strictSame(stdout.match(/(?<=^- ).*/gm), steps)
    t.match(stdout, /^DNS changes can take up to 48 hours\.$/m)
    await t.rejects(visit(host), noCertificate)
  }
  t.match(await server.domain('help.shop.test'), {
    state: 'failed',
    problem: {
      code: 'cname_mismatch',
      message: `The CNAME record of help.shop.test has the value elsewhere.example. It must be exactly ${target}.`,
    },
  })

  for (const host of Object.keys(expected)) {
    zone[host] = leadsHere
    await until(`${host} may be verified again`, async () => {
      const { canVerifyAt = '' } = (await server.domain(host)) ?? {}
      return Date.parse(canVerifyAt) <= Date.now()
    })
    const { code, stdout } = await server.domains('verify', host)
    t.equal(code, 0)
    t.match(stdout, /^Live\. The certificate renews automatically\./m)
    t.match(await visit(host), { status: 200, body: '<title>' })
  }
  const serials = await Promise.all(Object.keys(expected).map(async (host) => (await visit(host)).serial))
  t.equal(new Set(serials).size, 2)
  t.match(JSON.parse((await visit('docs.shop.test', { path: '/openapi.json' })).body), { openapi: '3.0.3' })
  const headers = { authorization: `Bearer ${apiKey}` }
  t.match(await visit('docs.shop.test', { path: '/v1/store/orders', headers }), { status: 404 })
})
