import t from 'tap'
import { full } from '../fixtures/disk.ts'
import { domainOf, liveWorld, type World, worldOf } from '../fixtures/domains.ts'

const [apex, www] = ['shop.test', 'www.shop.test'] as const

/** The stored domains, primary domain and redirects. */
const stored = ({ disk }: World) => [
  JSON.parse(String(disk.state))
    .domains.map(({ name }: { name: { host: string } }) => name.host)
    .sort(),
  JSON.parse(String(disk.configuration ?? '{}')).domains,
]
const redirect = (from: string, to: string, status = 301) => ({ primary: to, redirects: [{ from, to, status }] })

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

t.test('the redirect begins once both are live', async (t) => {
  const world = await worldOf(t)
  await world.registry.add(apex, { pair: 'to-www' })
  await world.registry.verify(apex)
  await world.settle()
  const look = () => world.registry.list().domains.map(({ state, redirect }) => [state, redirect?.isActive])
  t.strictSame(look(), [
    ['added', undefined],
    ['live', false],
  ])
  await world.registry.verify(www)
  await world.settle()
  t.strictSame(look(), [
    ['live', undefined],
    ['live', true],
  ])
  await world.registry.remove(apex)
  t.match(world.registry.list().domains, [{ domain: www, counterpart: undefined }])
})

t.test('both redirect to the primary domain, if there is another one', async (t) => {
  const world = await worldOf(t)
  await t.rejects(world.registry.add(apex, { pair: 'to-primary' }), { code: 'no_primary' })
  await world.registry.add(apex)
  await t.rejects(world.registry.add(www, { pair: 'to-primary' }), { code: 'is_primary' })
  await world.registry.add('docs.other.test')
  await world.registry.setPrimary('docs.other.test')
  t.match(await world.registry.add(www, { pair: 'to-primary' }), {
    domain: www,
    redirect: { to: 'docs.other.test', status: 301 },
  })
  t.strictSame(
    [...world.state.current().redirects],
    [apex, www].map((host) => [host, { to: 'docs.other.test', status: 301 }]),
  )
})

t.test('the caller decides who may add a host', async (t) => {
  const world = await worldOf(t, { allow: async (host, owner) => host.endsWith(`.${owner}.test`) || 'of_another' })
  await t.rejects(world.registry.add('docs.shop.test', { owner: 'other' }), {
    code: 'not_allowed',
    reason: 'of_another',
  })
  await t.rejects(world.registry.add('docs.shop.test'), { code: 'not_allowed' })
  t.match(await world.registry.add('docs.shop.test', { owner: 'shop' }), { domain: 'docs.shop.test' })
})

t.test('an existing counterpart is kept, and only gets the redirect', async (t) => {
  const world = await liveWorld(t, www)
  t.match(await world.registry.add(apex, { pair: 'to-www' }), { state: 'added', counterpart: www })
  t.strictSame(stored(world), [[apex, www], redirect(apex, www)])
})

t.test('a redirect that the user has set before is kept', async (t) => {
  for (const status of [undefined, 308] as const) {
    const world = await liveWorld(t, 'docs.shop.test')
    await world.registry.add(www)
    if (status) await world.registry.redirect(www, undefined, status)
    t.match(await world.registry.add(apex, { pair: 'from-www' }), {
      domain: apex,
      redirect: undefined,
      counterpart: www,
    })
    const to = status ? 'docs.shop.test' : apex
    t.strictSame(stored(world)[1], { primary: 'docs.shop.test', redirects: [{ from: www, to, status: status ?? 301 }] })
  }
})

t.test('the primary domain is never made to redirect', async (t) => {
  const world = await liveWorld(t, www)
  const before = stored(world)
  await t.rejects(world.registry.add(apex, { pair: 'from-www' }), {
    code: 'is_primary',
    message: 'www.shop.test is the primary domain, which cannot redirect: let the other one redirect to it.',
  })
  t.strictSame(stored(world), before)
})

t.test('a domain that is neither an apex nor its www name cannot be added as a pair', async (t) => {
  const world = await worldOf(t)
  const message =
    'docs.shop.test cannot be added as a pair: only an apex and its www name can, such as example.com and www.example.com.'
  await t.rejects(world.registry.add('docs.shop.test', { pair: 'to-www' }), { code: 'invalid_domain', message })
  await t.rejects(world.registry.add('co.uk', { pair: 'to-www' }), { code: 'invalid_domain' })
  t.strictSame(world.registry.list().domains, [])
})

t.test('the limit counts both, and neither is added if there is room for only one', async (t) => {
  const world = await worldOf(t, { limit: 2 })
  await world.registry.add('docs.shop.test')
  const message = 'There is room for one more domain only: the limit is 2.'
  await t.rejects(world.registry.add(apex, { pair: 'to-www' }), { code: 'too_many_domains', message })
  t.strictSame(stored(world)[0], ['docs.shop.test'])
  await world.registry.add(www)
  await t.rejects(world.registry.add(apex, { pair: 'to-www' }), {
    code: 'too_many_domains',
    message: 'You have reached the limit of 2 domains. Remove one first.',
  })
  await world.registry.remove('docs.shop.test')
  t.match(await world.registry.add(apex, { pair: 'to-www' }), { domain: apex, counterpart: www }, 'it counts once')
})

t.test('of concurrent additions of a pair, one succeeds, and a full disk saves neither', async (t) => {
  const world = await worldOf(t)
  world.script.fault = full
  await t.rejects(world.registry.add(apex, { pair: 'to-www' }), { code: 'not_saved' })
  t.strictSame(world.registry.list().domains, [])
  world.script.fault = () => {}
  const [one, other] = await Promise.all([
    world.registry.add(apex, { pair: 'to-www' }),
    world.registry.add(apex, { pair: 'from-www' }).catch((error) => error),
  ])
  t.match([one, other], [{ domain: apex }, { code: 'domain_exists' }])
  const [first, second] = await Promise.all([
    world.registry.add('b.test', { pair: 'to-www' }),
    world.registry.add('www.b.test', { pair: 'from-www' }).catch((error) => error),
  ])
  t.match([first, second], [{ domain: 'b.test' }, { code: 'domain_exists' }])
  t.strictSame(stored(world), [
    ['b.test', apex, 'www.b.test', www],
    {
      primary: www,
      redirects: [
        { from: apex, to: www, status: 301 },
        { from: 'b.test', to: 'www.b.test', status: 301 },
      ],
    },
  ])
})

t.test('the platform domain is not a counterpart', async (t) => {
  const world = await worldOf(t)
  await world.state.commit(({ domains }) => domains.set(www, domainOf(www, { isPlatform: true })))
  t.match(await world.registry.add(apex), { domain: apex, counterpart: undefined })
})

t.test('choices are offered for a possible pair, without any change', async (t) => {
  const world = await worldOf(t)
  const { length } = world.disk.writes
  t.match(world.registry.pairChoices('WWW.Bücher.test.'), { question: 'Add bücher.test as well?' })
  for (const typed of ['docs.shop.test', 'co.uk', 'github.io', 'shop', 'a b.test', '', 'www.orders.platform.test']) {
    t.strictSame(world.registry.pairChoices(typed), { choices: [] }, typed)
  }
  t.equal(world.disk.writes.length, length)
  await world.registry.add(apex)
  t.strictSame(world.registry.pairChoices(apex), { choices: [] })
  t.match(world.registry.pairChoices(www), { question: 'shop.test has already been added. Set a redirect?' })
})

t.test(
  'what the caller gives is kept with the domain, and a proof of the ownership is a record to create',
  async (t) => {
    const { registry } = await worldOf(t)
    const given = { owner: 'one', target: 'one.platform.test', data: { plan: 'pro' } }
    const added = await registry.add(www, { ...given, pair: 'to-www', isProofRequired: true })
    t.match(added, { owner: 'one', data: given.data, record: { value: given.target } })
    t.match(added, {
      proof: { type: 'TXT', name: '_custom-domains.www', value: /^[\da-f]{32}$/, ttl: 3600, isFound: false },
    })
    t.strictSame(registry.find(www)?.proof, added.proof, 'the record that is checked')
    const [, other] = registry.list({ owner: 'one' }).domains
    t.match(other, { domain: apex, owner: 'one', proof: { name: '_custom-domains' } })
    t.strictSame(registry.list({ owner: 'two' }).domains, [])
    t.notOk('proof' in (await registry.add('docs.shop.test')))
  },
)
