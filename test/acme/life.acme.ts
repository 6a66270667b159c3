// A domain from its first record, which is wrong, to its certificate.
import t from 'tap'
import { until } from './built.ts'
import { leadsHere, platform, target } from './published.ts'
import { noCertificate } from './visitor.ts'

const host = 'docs.shop.test'

t.test('a wrong record is reported; once it is fixed, the domain goes live', async (t) => {
  const { zone, visit, start } = await platform(t)
  const server = await start()
  zone[host] = { A: ['198.51.100.1'] }

  const added = await server.domains('add', host)
  t.strictSame(added, {
    code: 0,
    stdout: `Added ${host}. Create this DNS record, then verify:\n\n  CNAME  docs  ${target}  TTL 3600\n`,
    stderr: '',
  })

  const failed = await server.domains('verify', host)
  t.equal(failed.code, 1)
  t.match(failed.stdout, /^- Delete the A record 198\.51\.100\.1: it cannot coexist with a CNAME record\.$/m)
  await t.rejects(visit(host), noCertificate)

  zone[host] = leadsHere
  await until('it may be verified again', async () => {
    const { canVerifyAt = '' } = (await server.domain(host)) ?? {}
    return Date.parse(canVerifyAt) <= Date.now()
  })
  const { code, stdout } = await server.domains('verify', host)
  t.equal(code, 0)
  t.match(stdout, /^Live\. The certificate renews automatically\./m)
  t.match(await visit(host), { status: 200, body: '<title>' })
})
