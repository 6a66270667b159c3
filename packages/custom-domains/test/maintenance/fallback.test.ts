import t, { type Test } from 'tap'
import { originOf } from '../../src/certificates/certificate.ts'
import { IssueError, type Issuer, OrderEndedError } from '../../src/certificates/issuer.ts'
import { replaceForeignCertificates } from '../../src/maintenance/startup.ts'
import { definitionOf } from '../../src/problems/index.ts'
import type { Problem, ProblemCode } from '../../src/state/domain.ts'
import { DAY, HOUR, MINUTE } from '../fixtures/clock.ts'
import { certificateAt, domainOf, type WorldOptions, worldOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const [first, second] = ['https://ca.test/directory', 'https://fallback.test/directory']

const failing = (code: ProblemCode, retryAfterMs = 0) => {
  const detail = code === 'rate_limited' ? 'Too many new orders.' : `It is ${code}.`
  const error = new IssueError({ code, detail } as Problem, retryAfterMs)
  return () => Promise.reject(error)
}
const blocks = (expected: string): Problem => ({ code: 'caa_blocks', level: host, found: [], expected })

async function twoAuthorities(t: Test, options: WorldOptions = {}) {
  const world = await worldOf(t, { authority: first, fallback: second, ...options })
  return { ...world, servedFrom: () => originOf(world.served.get(host) ?? '').authority }
}

/** Saves its order, and then fails. */
const orderAndFail =
  (issue: Issuer['issue'], fail: () => Promise<never>): Issuer['issue'] =>
  async (...given) => {
    await issue(...given)
    return fail()
  }

t.test('if the first authority cannot issue, the second one does in the same attempt', async (t) => {
  const caa = failing('caa_blocks')
  for (const fail of [failing('ca_unavailable'), failing('rate_limited', HOUR), failing('ca_refused'), caa]) {
    for (const step of ['identities', 'issue'] as const) {
      const { publish, servedFrom, script, get, lines } = await twoAuthorities(t)
      script[step] = fail
      await publish(host)
      t.equal(servedFrom(), second)
      t.match(get(host), { state: 'live', problem: undefined, attempts: 0, certificate: { authority: second } })
      t.strictSame(lines, ['warn: this authority issued no certificate', 'info: the domain is live'])
    }
  }
})

t.test('a problem of the domain does not lead to the second authority', async (t) => {
  for (const code of ['ca_cannot_connect', 'ca_cannot_resolve'] as const) {
    const { publish, get, script, orders } = await twoAuthorities(t)
    script.issue = failing(code)
    await publish(host)
    t.match(get(host), { state: 'failed', problem: { code } })
    t.strictSame(orders, [host])
  }
  const { publish, get, script, orders } = await twoAuthorities(t)
  script.caa = () => ({ code: 'caa_unreachable', level: host })
  await publish(host)
  t.strictSame([get(host)?.problem?.code, orders], ['caa_unreachable', []])
})

t.test('CAA records are checked for each authority by its own names', async (t) => {
  const used: (readonly string[])[] = []
  const { publish, servedFrom, script } = await twoAuthorities(t)
  script.caa = (identities) => (used.push(identities) === 1 ? blocks('ca.test') : undefined)
  await publish(host)
  t.strictSame([servedFrom(), used], [second, [['ca.test'], ['fallback.test']]])
  const neither = await twoAuthorities(t)
  neither.script.caa = ([identity = '']) => blocks(identity)
  await neither.publish(host)
  t.strictSame(neither.get(host)?.problem, blocks('ca.test'), 'the record to add is that of the first one')
})

t.test('if both fail, both problems are shown, and the retry comes when either may issue', async (t) => {
  const cases = [
    [failing('rate_limited', 3 * HOUR), failing('rate_limited', 2 * HOUR), 'rate_limited', 2 * HOUR],
    [failing('rate_limited', 3 * HOUR), failing('ca_refused'), 'rate_limited', 3 * HOUR],
    [failing('ca_refused'), failing('rate_limited', 2 * HOUR), 'ca_refused', 2 * HOUR],
    [failing('ca_refused'), failing('ca_refused'), 'ca_refused', 0],
    [failing('ca_unavailable'), failing('ca_cannot_connect'), 'ca_cannot_connect', 0],
  ] as const
  for (const [one, other, code, wait] of cases) {
    const { publish, script, get, clock, lines, registry, pass } = await twoAuthorities(t, { random: () => 0 })
    script.identities = one
    script.fallback.issue = other
    await publish(host)
    t.match(get(host), { state: 'failed', problem: { code } })
    const { notBefore = '' } = get(host) ?? {}
    t.equal(Date.parse(notBefore) - clock.now().getTime(), Math.max(wait + Math.min(wait, HOUR) / 10, 0.9 * MINUTE))
    t.strictSame(lines, ['warn: this authority issued no certificate', 'warn: the attempt failed'])
    const [rejected, authority] = code === 'ca_cannot_connect' ? [one, first] : [other, second]
    const { problem } = (await rejected().catch((error) => error)) as IssueError
    const message = definitionOf(problem).message(problem, domainOf(host).name)
    const shown = registry.find(host)
    t.strictSame(shown?.problem?.failures, [{ authority, code: problem.code, message }])
    const sentence = `The authority ${new URL(authority).host} was tried, too: ${message}`
    t.ok(shown?.summary.includes(sentence) && shown.problem?.notes.includes(sentence))
    script.dns = () => ({ code: 'record_missing' })
    await pass(4 * HOUR)
    t.match(registry.find(host)?.problem, { code: 'record_missing', failures: undefined })
  }
})

t.test('a backoff of one authority does not delay orders at the other', async (t) => {
  const { publish, script, get, orders } = await twoAuthorities(t)
  script.issue = failing('rate_limited', HOUR)
  for (const each of [host, 'help.shop.test']) await publish(each)
  t.match(get('help.shop.test'), { state: 'live', certificate: { authority: second } })
  t.strictSame(orders, [host, host, 'help.shop.test'], 'the first one is not used again')
})

t.test('a certificate of the second authority is valid, and renewed at the first', async (t) => {
  const world = await twoAuthorities(t)
  const { publish, script, servedFrom, orders, pass, clock, state, authorities, get } = world
  const { identities } = script
  script.identities = failing('ca_unavailable')
  await publish(host)
  script.identities = identities
  const used: (string | undefined)[] = []
  script.renewalWindow = async (_host, pem) => void used.push('first', originOf(pem).authority)
  script.fallback.renewalWindow = async (_host, pem) => void used.push('second', originOf(pem).authority)
  clock.jump(HOUR)
  await replaceForeignCertificates(state, authorities, clock.now())
  world.worker.wake()
  await pass(2 * DAY)
  t.strictSame([servedFrom(), orders, get(host)?.reissueAt], [second, [host], undefined], 'after a restart, too')
  t.strictSame(used.slice(0, 2), ['second', second], 'the issuing authority suggests the renewal')
  await pass(60 * DAY)
  t.strictSame([servedFrom(), orders], [first, [host, host]])
})

t.test('an order is completed at its own authority, also after a restart', async (t) => {
  const world = await twoAuthorities(t)
  const { publish, script, pass, get, disk, orders } = world
  script.identities = failing('ca_unavailable')
  script.fallback.issue = orderAndFail(script.fallback.issue, failing('ca_unavailable'))
  await publish(host)
  t.match(get(host), { state: 'failed', problem: { code: 'ca_unavailable' } })
  script.resume = () => t.fail('it is not the first one’s') as never
  script.fallback.resume = async (host, { authority, url }) => {
    t.strictSame([authority, url], [second, `${second}/order`])
    return certificateAt(host, world.clock.now())
  }
  await pass(MINUTE)
  t.strictSame([get(host)?.state, orders, disk.orders.size], ['live', [host], 0])
})

t.test('an order that its authority cannot complete is placed at the other, and deleted only by its own', async (t) => {
  const { publish, script, pass, get, orders, disk, servedFrom } = await twoAuthorities(t)
  script.issue = orderAndFail(script.issue, failing('ca_unavailable'))
  script.fallback.identities = failing('ca_refused')
  await publish(host)
  t.match(JSON.parse(String(disk.orders.get(host))), [{ authority: first }], 'the rejection affects no order')
  script.resume = failing('ca_unavailable')
  await pass(MINUTE)
  t.strictSame([get(host)?.state, orders], ['failed', [host]], 'no other order is placed there')
  script.fallback.identities = async () => []
  await pass(5 * MINUTE)
  t.strictSame([servedFrom(), orders, disk.orders.size], [second, [host, host], 0])
})

t.test('neither authority gets a second order while it may still complete the first one', async (t) => {
  const { publish, script, pass, get, orders, disk, clock } = await twoAuthorities(t)
  for (const each of [script, script.fallback]) {
    each.issue = orderAndFail(each.issue, failing('ca_unavailable'))
    each.resume = failing('ca_unavailable')
  }
  await publish(host)
  await pass(12 * HOUR)
  t.strictSame([get(host)?.state, orders], ['failed', [host, host]], 'one at each')
  script.resume = () => Promise.reject(new OrderEndedError({ code: 'ca_refused', detail: 'No.' }))
  await pass(DAY)
  const kept = JSON.parse(String(disk.orders.get(host)))
  t.match([kept.length, kept[0].authority], [1, second], 'what one ends is not the other’s')
  script.fallback.resume = async () => certificateAt(host, clock.now())
  await pass(DAY)
  t.strictSame([get(host)?.state, orders, disk.orders.size], ['live', [host, host], 0])
})

t.test('the limits on orders apply to both authorities', async (t) => {
  const { publish, script, registry, pass, get, orders } = await twoAuthorities(t)
  const end = () => Promise.reject(new OrderEndedError({ code: 'ca_refused', detail: 'No.' }))
  for (const each of [script, script.fallback]) each.issue = orderAndFail(each.issue, end)
  await publish(host)
  for (const _more of [1, 2, 3, 4, 5]) {
    await registry.verify(host).catch(({ code }) => t.equal(code, 'rate_limited'))
    await pass(31_000)
  }
  t.match(get(host)?.problem, { code: 'rate_limited', detail: 'At most four certificates are ordered per hour.' })
  t.equal(orders.length, 8, 'four at each')
})
