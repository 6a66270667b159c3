import t from 'tap'
import type { AddOptions } from '../../src/registry/types.ts'
import { configurationOn, full, hostsOn } from '../fixtures/disk.ts'
import { domainOf, liveWorld, type World, worldOf } from '../fixtures/domains.ts'

const [apex, www] = ['shop.test', 'www.shop.test'] as const

/** The stored domains, and their redirects. */
const stored = ({ disk }: World) => [hostsOn(disk).sort(), configurationOn(disk)]
const redirect = (from: string, to: string, status = 301) => ({ redirects: [{ from, to, status }] })

t.test('an apex and its www name are added with their redirect, whichever is typed', async (t) => {
  for (const typed of [apex, ' WWW.Shop.test. ']) {
    for (const [pair, from, to] of [
      ['to-www', apex, www],
      ['from-www', www, apex],
    ] as const) {
      const world = await worldOf(t)
      const { length } = world.disk.writes
      const added = await world.registry.add(typed, { pair })
      const [name, counterpart] = typed === apex ? [apex, www] : [www, apex]
      t.match(added, { domain: name, state: 'added', counterpart })
      t.strictSame(stored(world), [[apex, www], redirect(from, to)])
      t.strictSame(world.disk.writes.slice(length), ['state'], 'one change')
    }
  }
})

t.test('an existing counterpart is kept, and only gets the redirect', async (t) => {
  const world = await liveWorld(t, www)
  t.match(world.registry.find(www), { counterpart: undefined })
  t.match(await world.registry.add(apex, { pair: 'to-www' }), { state: 'added', counterpart: www })
  t.strictSame(stored(world), [[apex, www], redirect(apex, www)])
})

t.test('a redirect that the user has set before is kept', async (t) => {
  for (const status of [undefined, 308] as const) {
    const world = await liveWorld(t, 'docs.shop.test')
    await world.registry.add(www)
    if (status) await world.registry.redirect(www, 'docs.shop.test', status)
    const added = await world.registry.add(apex, { pair: 'from-www' })
    t.match(added, { domain: apex, redirect: undefined, counterpart: www })
    t.strictSame(stored(world)[1], redirect(www, status ? 'docs.shop.test' : apex, status))
  }
})

t.test('a domain that is neither an apex nor its www name cannot be added as a pair', async (t) => {
  const world = await worldOf(t)
  const message =
    'docs.shop.test cannot be added as a pair: only an apex and its www name can, such as example.com and www.example.com.'
  await t.rejects(world.registry.add('docs.shop.test', { pair: 'to-www' }), { code: 'invalid_domain', message })
  for (const typed of ['co.uk', 'www.platform.test'])
    await t.rejects(world.registry.add(typed, { pair: 'to-www' }), { code: 'invalid_domain' }, typed)
  await t.rejects(world.registry.add('docs.sites.platform.test'), { code: 'invalid_domain' }, 'below the target')
  t.strictSame(world.registry.list().domains, [])
})

t.test('the limit counts both, and neither is added if there is room for only one', async (t) => {
  const world = await worldOf(t, { limit: 2 })
  await world.registry.add('docs.shop.test')
  const refused = (message: string) =>
    t.rejects(world.registry.add(apex, { pair: 'to-www' }), { code: 'too_many_domains', message })
  await refused('There is room for one more domain only: the limit is 2.')
  t.strictSame(stored(world)[0], ['docs.shop.test'])
  await world.registry.add(www)
  await refused('You have reached the limit of 2 domains. Remove one first.')
  await world.registry.remove('docs.shop.test')
  t.match(await world.registry.add(apex, { pair: 'to-www' }), { domain: apex, counterpart: www }, 'it counts once')
})

t.test('of concurrent additions of a pair, one succeeds, and a full disk saves neither', async (t) => {
  const world = await worldOf(t)
  world.script.fault = full
  await t.rejects(world.registry.add(apex, { pair: 'to-www' }), { code: 'not_saved' })
  t.strictSame(world.registry.list().domains, [])
  world.script.fault = () => {}
  for (const [first, second] of Object.entries({ [apex]: apex, 'b.test': 'www.b.test' })) {
    const added = [
      world.registry.add(first, { pair: 'to-www' }),
      world.registry.add(second, { pair: 'from-www' }).catch((error) => error),
    ]
    t.match(await Promise.all(added), [{ domain: first }, { code: 'domain_exists' }])
  }
  const redirects = [redirect(apex, www), redirect('b.test', 'www.b.test')].flatMap(({ redirects }) => redirects)
  t.strictSame(stored(world), [['b.test', apex, 'www.b.test', www], { redirects }])
})

t.test('the platform domain is not a counterpart', async (t) => {
  const world = await worldOf(t)
  await world.state.commit(({ domains }) => domains.set(www, domainOf(www, { isPlatform: true })))
  t.match(await world.registry.add(apex), { domain: apex, counterpart: undefined })
})

t.test('what the caller gives is kept with the domain, and a proof of ownership is a record to create', async (t) => {
  const { registry } = await worldOf(t)
  const given = { owner: 'one', target: 'one.platform.test', data: { plan: 'pro' } }
  const added = await registry.add(www, { ...given, pair: 'to-www', isProofRequired: true })
  const proof = { type: 'TXT', name: '_custom-domains.www', value: /^[\da-f]{32}$/, ttl: 3600, isFound: false }
  t.match(added, { owner: 'one', data: given.data, record: { value: given.target }, proof })
  t.strictSame(registry.find(www)?.proof, added.proof, 'the record that is checked')
  const [, other] = registry.list({ owner: 'one' }).domains
  t.match(other, { domain: apex, owner: 'one', proof: { name: '_custom-domains' } })
  t.strictSame(registry.list({ owner: 'two' }).domains, [])
  t.notOk('proof' in (await registry.add('docs.shop.test')))
})

t.test('the other name of a pair is known, whatever has been added', async (t) => {
  const { registry } = await worldOf(t)
  const look = () => ['WWW.Bücher.test.', 'https://shop.test/docs'].map((typed) => registry.pairOf(typed))
  const before = look()
  t.strictSame(before, [
    { host: 'www.xn--bcher-kva.test', counterpart: 'xn--bcher-kva.test' },
    { host: apex, counterpart: www },
  ])
  for (const host of [apex, www]) await registry.add(host, { owner: 'another' })
  t.strictSame(look(), before)
  for (const typed of ['docs.shop.test', 'co.uk', 'www.platform.test'])
    t.equal(registry.pairOf(typed), undefined, typed)
})

t.test('what else changes with an addition is saved with it, or neither is', async (t) => {
  const world = await worldOf(t)
  const { registry } = world
  await registry.add('docs.shop.test')
  const before = stored(world)
  const add = (update: AddOptions['update']) => registry.add(apex, { pair: 'to-www', ...(update && { update }) })
  const failing = add(({ roles, redirect }, hosts) => {
    t.strictSame(hosts, [www, apex])
    roles.set('first', apex)
    redirect(www, 'docs.shop.test', 302)
    redirect(www, 'unknown.test')
  })
  await t.rejects(failing, { code: 'domain_not_found' })
  t.strictSame(stored(world), before)
  const { length } = world.disk.writes
  const added = await add(({ redirect, setData }) => {
    redirect(www, 'docs.shop.test', 302)
    setData(apex, { plan: 'pro' })
  })
  const leading = { to: 'docs.shop.test', status: 301 }
  t.match(added, { data: { plan: 'pro' }, redirect: leading }, 'the redirect of the pair leads where its target leads')
  t.strictSame(world.disk.writes.slice(length), ['state'], 'one change')
})
