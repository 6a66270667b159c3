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
  t.match(await server.domains('verify', 'docs.shop.test'), { code: 1, stderr: /Try again in \d+ seconds/ })

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

t.test('blocking CAA records are reported before an order, with the record to add', async (t) => {
  const { zone, proxy, orders, start } = await platform(t)
  proxy.injections['/dir'] = { meta: { caaIdentities: ['authority.example'] } }
  zone['docs.shop.test'] = leadsHere
  zone['shop.test'] = { CAA: [{ flags: 0, tag: 'issue', value: 'another.example' }] }
  zone['docs.fair.test'] = leadsHere
  zone['fair.test'] = { CAA: [{ flags: 0, tag: 'issue', value: 'authority.example' }] }
  const server = await start()
  await server.domains('add', 'docs.shop.test')
  const { code, stdout } = await server.domains('verify', 'docs.shop.test')
  t.equal(code, 1)
  t.match(stdout, 'The CAA records of shop.test do not allow the certificate.')
  t.match(
    stdout,
    '- The current record is 0 issue "another.example".\n- Add this record: shop.test. CAA 0 issue "authority.example"\n',
  )
  t.equal(orders(), 0)
  await server.publish('docs.fair.test')
  t.equal(orders(), 1)

  const { accounts } = (await server.api<{ accounts: { url: string }[] }>('GET', '/domains')).body
  const own = `authority.example; accounturi=${accounts[0]?.url}`
  const value = 'authority.example; accounturi=https://authority.example/account/1'
  zone['docs.foreign.test'] = leadsHere
  zone['foreign.test'] = { CAA: [{ flags: 0, tag: 'issue', value }] }
  await server.domains('add', 'docs.foreign.test')
  const refused = await server.domains('verify', 'docs.foreign.test')
  t.equal(refused.code, 1)
  t.match(refused.stdout, `- The current record is 0 issue "${value}".\n`)
  t.match(refused.stdout, `- Add this record: foreign.test. CAA 0 issue "${own}"\n`)
  t.equal(orders(), 1)
  zone['docs.own.test'] = leadsHere
  zone['own.test'] = { CAA: [{ flags: 0, tag: 'issue', value: `${own}; validationmethods=http-01` }] }
  await server.publish('docs.own.test')
  t.equal(orders(), 2)
})
