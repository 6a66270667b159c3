// Two owners claim a host: whoever controls its zone gets it.
import t, { type Test } from 'tap'
import { proofToken } from '../../src/dns/proof.ts'
import type { DomainError } from '../../src/index.ts'
import { HOUR } from '../fixtures/clock.ts'
import { untilAborted, type World, type WorldOptions, worldOf } from '../fixtures/domains.ts'

const host = 'docs.victim.test'
const squatter = { owner: 'squatter', isProofRequired: true }
const owner = { owner: 'owner', isProofRequired: true }

/** A world whose TXT records are those of `zone`. */
async function claimWorld(t: Test, options: WorldOptions = {}) {
  const world = await worldOf(t, options)
  const zone = new Set<string>()
  world.script.text = (name, value) => zone.has(`${name} ${value}`)
  /** Creates the record that proves the ownership. */
  const prove = ({ proof }: Partial<Pick<DomainError, 'proof'>>, at = host) =>
    zone.add(`_custom-domains.${at} ${proof?.value}`)
  const tick = () => world.clock.pass(HOUR, world.settle)
  return { ...world, zone, prove, tick }
}

async function rejected(world: World, at: string, options: object): Promise<DomainError> {
  const before = world.state.current()
  const error = await world.registry.add(at, options).catch((error) => error)
  t.match(error, { name: 'DomainError', code: 'domain_exists' })
  t.equal(world.state.current(), before, 'nothing has changed')
  return error
}

t.test('the owner learns the record from the rejection, and displaces who has not proven the ownership', async (t) => {
  const world = await claimWorld(t)
  const { registry, prove, settle, tick } = world
  const theirs = await registry.add(host, squatter)
  await registry.add('other.test', squatter)
  await registry.verify(host)
  await settle()
  t.match(registry.find(host), { state: 'failed', problem: { code: 'proof_missing' } })
  await tick()

  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  const { message, proof } = await rejected(world, host, owner)
  t.match(limits(), [{ args: [10_000] }])
  t.match(proof, { type: 'TXT', name: '_custom-domains.docs', value: /^[\da-f]{32}$/, isFound: false })
  t.not(proof?.value, theirs.proof?.value)
  t.equal(
    message,
    `${host} has already been added, but its ownership is not proven. If it is yours, create this record and add the ` +
      `domain again: type TXT, name _custom-domains.${host}, value ${proof?.value}, TTL 3600.`,
  )
  prove({ proof })
  const added = { state: 'added', owner: 'owner', data: 1, problem: undefined }
  const isProven = { value: proof?.value, isFound: true }
  t.match(await registry.add(host, { ...owner, data: 1 }), { ...added, proof: isProven })
  t.match(registry.list({ owner: 'squatter' }), { total: 1, count: 1, domains: [{ domain: 'other.test' }] })
  await registry.verify(host)
  await settle()
  t.match(registry.find(host), { state: 'live', owner: 'owner' })
})

t.test('what was set for the former owner ends: redirects there and away, and roles', async (t) => {
  for (const [from, to] of Object.entries({ 'other.test': host, [host]: 'other.test' })) {
    const world = await claimWorld(t)
    const { registry, prove, state } = world
    await registry.add(host, squatter)
    await registry.add('other.test', squatter)
    await registry.redirect(from, to)
    await registry.update(({ roles }) => {
      roles.set('first', host)
      roles.set('second', 'other.test')
    })
    t.equal(state.current().redirects.size, 1)
    prove(await rejected(world, host, owner))
    await registry.add(host, owner)
    t.equal(state.current().redirects.size, 0)
    t.strictSame([...state.current().roles], [['second', 'other.test']])
  }
})

t.test('nobody displaces the owner without a record in the zone, proven or not yet', async (t) => {
  const world = await claimWorld(t)
  const { registry, prove, settle, script } = world
  const added = await registry.add(host, owner)
  const { proof } = await rejected(world, host, squatter)
  t.not(proof?.value, added.proof?.value)
  prove(added)
  await rejected(world, host, squatter)
  await registry.verify(host)
  await settle()
  t.match(registry.find(host), { state: 'live', owner: 'owner', proof: { isFound: true } })

  script.text = () => t.fail('a proven domain is not looked up again') as never
  const { proof: none, message } = await rejected(world, host, squatter)
  t.strictSame([none, message], [undefined, `${host} has already been added.`])
})

t.test('a domain is taken over only with a proof, from an owner who had to prove it, and another one', async (t) => {
  const queried: string[] = []
  for (const [first, second] of [
    [squatter, { owner: 'owner' }],
    [{ owner: 'squatter' }, owner],
    [owner, owner],
    [{ isProofRequired: true }, { isProofRequired: true }],
  ] as const) {
    const world = await claimWorld(t)
    world.script.text = (name) => queried.push(name) > 0
    await world.registry.add(host, first)
    t.equal((await rejected(world, host, second)).proof, undefined)
  }
  t.strictSame(queried, [])

  const world = await claimWorld(t)
  await world.registry.add(host, squatter)
  world.script.text = (name) => ({ code: 'dns_unreachable', name })
  t.match(await rejected(world, host, owner), { proof: { type: 'TXT' } }, 'while the name servers do not respond')
})

t.test('a proof that is found while another claim is under way decides', async (t) => {
  let isClaimed = false
  const allow = async (_host: string, by?: string) => {
    if (by !== 'late' || isClaimed) return true
    isClaimed = true
    await world.verify(host)
    return true
  }
  const world = await claimWorld(t, { allow })
  world.script.text = () => true
  await world.registry.add(host, owner)
  await t.rejects(world.registry.add(host, { ...owner, owner: 'late' }), { code: 'domain_exists', proof: undefined })
  t.match(world.registry.find(host), { state: 'live', owner: 'owner' })
})

t.test('a running attempt of the former owner ends, and changes nothing', async (t) => {
  const world = await claimWorld(t)
  const { registry, prove, script, settle, tick } = world
  const { proof } = await registry.add(host, squatter)
  await tick()
  const { text } = script
  script.text = (...query) => (query[1] === proof?.value ? untilAborted(query[2]) : text(...query))
  t.match(await registry.verify(host), { state: 'verifying' })
  prove(await rejected(world, host, owner))
  t.match(await registry.add(host, owner), { state: 'added' })
  await registry.verify(host)
  await settle()
  t.match(registry.find(host), { state: 'live', owner: 'owner' })
})

t.test('the counterpart of a pair is of the same owner, or taken over as well', async (t) => {
  const [apex, www] = ['victim.test', 'www.victim.test'] as const
  const pair = { ...owner, pair: 'from-www' as const }
  const live = await claimWorld(t)
  await live.registry.add(www, { owner: 'other' })
  t.match(await rejected(live, apex, pair), { message: `${www} has already been added.`, proof: undefined })

  const world = await claimWorld(t)
  await world.registry.add(www, squatter)
  world.prove(await rejected(world, apex, pair), www)
  await world.registry.add(apex, pair)
  const { domains } = world.registry.list({ owner: 'owner' })
  t.match(domains, [{ domain: apex }, { domain: www, redirect: { to: apex } }])
})

t.test('each platform, host and owner has a record of its own', async (t) => {
  const tokens = ['a', 'b', '', undefined].map((owner) => proofToken('one.test', host, owner))
  tokens.push(proofToken('two.test', host, 'a'), proofToken('one.test', 'docs.other.test', 'a'))
  t.equal(new Set(tokens).size, 6)
})
