// Visits to the domains' ports.
import t from 'tap'
import { leadsHere, platform, platformDomain, target } from './published.ts'

t.test('the platform is served at its own domain, and the dashboard at none', async (t) => {
  const { zone, visit, visitPlainly, start } = await platform(t)
  zone['docs.shop.test'] = leadsHere
  const server = await start()
  await server.publish('docs.shop.test')
  t.match(await visit('docs.shop.test', { path: '/dashboard' }), { status: 404 })
  t.match(await visit('docs.shop.test', { path: '/dashboard/v1/domains' }), { status: 404 })
  t.match(await visitPlainly(platformDomain, '/docs'), { status: 200 }, 'it has no address, so no certificate')
  t.match(await visitPlainly('docs.shop.test', '/docs'), { status: 308, location: 'https://docs.shop.test/docs' })
  t.match(await visitPlainly('other.shop.test', '/docs'), { status: 421 })
})

t.test('an apex with an ALIAS is live, and other domains redirect to it with path and query', async (t) => {
  const { zone, visit, visitPlainly, start } = await platform(t)
  zone['shop.test'] = { A: ['127.0.0.1'] }
  zone['old.shop.test'] = leadsHere
  const server = await start()
  t.match((await server.domains('add', 'shop.test')).stdout, `  ALIAS  @  ${target}  TTL 3600\n\nAn apex domain cannot`)
  await server.domains('add', 'old.shop.test')
  for (const host of ['shop.test', 'old.shop.test']) t.match(await server.domains('verify', host), { code: 0 })

  const path = '/docs/a%20b?x=1&y=%2F'
  const location = `https://shop.test${path}`
  t.match((await server.domains('redirect', 'old.shop.test')).stdout, 'redirects to shop.test with 301')
  t.match(await visit('old.shop.test', { path }), { status: 301, location })
  await server.domains('redirect', 'old.shop.test', '--status', '308')
  t.match(await visit('old.shop.test', { path }), { status: 308, location })
  t.match(await visitPlainly('old.shop.test', path), { status: 308, location })
  t.match(await visit('shop.test'), { status: 200 })
  await server.domains('redirect', 'old.shop.test', '--off')
  t.match(await visit('old.shop.test'), { status: 200 })
})
