import t, { type Test } from 'tap'
import type { Allow } from '../../src/registry/index.ts'
import type { Domain, Problem } from '../../src/state/domain.ts'
import { after, begin, DAY, HOUR } from '../fixtures/clock.ts'
import { diskOf } from '../fixtures/disk.ts'
import { certificateAt, domainOf, type Script, target, worldOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const certificate = { issuer: '', notBefore: after(0), notAfter: after(90 * DAY) }

/** The world after an attempt for this domain. */
async function attempt(t: Test, changes: Partial<Domain> = {}, script: Partial<Script> = {}, stored?: string) {
  const disk = diskOf(domainOf(host, changes))
  if (stored !== undefined) disk.certificates.set(host, stored)
  const world = await worldOf(t, { disk, script })
  world.worker.start(host)
  await world.settle()
  return world
}

const [verifying, issuing] = ['verifying', 'issuing'].map((state) => ({ kind: 'progress', state }))
const times = { verifiedAt: after(0), waitingSince: after(0) }
const verified = { kind: 'progress', state: 'verified', ...times, outdated: undefined }

t.test('a domain whose record is correct gets a certificate, step by step', async (t) => {
  const dns: Script['dns'] = (name, at) => void t.strictSame([name.host, at], [host, target])
  const caa: Script['caa'] = (...issuer) =>
    void t.strictSame(issuer, [['ca.test'], 'https://ca.test/directory/account'])
  const { steps, orders, disk } = await attempt(t, {}, { dns, caa })
  t.strictSame(steps.slice(0, -1), [verifying, verified, issuing])
  t.match(steps.at(-1), { kind: 'live', pem: disk.certificates.get(host), issuedAt: after(0) })
  const waiting = await attempt(t, { waitingSince: after(-HOUR) })
  t.match(waiting.steps[1], { ...verified, waitingSince: after(-HOUR) })
  t.strictSame(orders, [host])
})

t.test('a record that some servers lack ends the attempt, unless the domain is live', async (t) => {
  const outdated = { server: 'ns2.shop.test', found: [] }
  const problem = { code: 'record_not_everywhere', ...outdated }
  const { steps } = await attempt(t, {}, { dns: () => outdated })
  t.strictSame(steps, [verifying, { kind: 'failed', problem }])
  const due = { ...certificate, notBefore: after(-80 * DAY), notAfter: after(10 * DAY) }
  const live = await attempt(t, { state: 'live', certificate: due }, { dns: () => outdated })
  t.match(live.steps, [verifying, { ...verified, outdated }, issuing, { kind: 'live' }])
  const cached = { until: after(HOUR), found: [] }
  const late = await attempt(t, {}, { dns: () => cached })
  t.match(late.steps, [verifying, { ...verified, outdated: cached }, issuing, { kind: 'live' }], 'a resolver lacks it')
})

t.test('blocking CAA records end the attempt before a certificate is ordered', async (t) => {
  const problem: Problem = { code: 'caa_blocks', level: host, found: [], expected: '' }
  const { steps, orders } = await attempt(t, {}, { caa: () => problem })
  t.strictSame(steps, [verifying, verified, { kind: 'failed', problem, retryAfterMs: 0, failures: [] }])
  t.strictSame(orders, [])
})

t.test('a stored certificate is used if it is valid', async (t) => {
  const stored: [name: string, pem: string, isUsed: boolean][] = [
    ['current', await certificateAt(host, begin), true],
    ['due for renewal', await certificateAt(host, new Date(after(-60 * DAY))), false],
    ['of the future', await certificateAt(host, new Date(after(2 * HOUR))), true],
    ['of another host', await certificateAt('other.shop.test', begin), false],
    ['broken', 'rubbish', false],
  ]
  for (const [name, pem, isUsed] of stored) {
    const { served, orders } = await attempt(t, {}, {}, pem)
    t.strictSame([served.get(host) === pem, orders], [isUsed, isUsed ? [] : [host]], name)
  }
  const { orders } = await attempt(t, { reissueAt: after(0) }, {}, await certificateAt(host, begin))
  t.strictSame(orders, [host], 'of unknown age, and to be replaced')
})

t.test('no certificate is ordered within a day of the last one', async (t) => {
  const { steps, orders } = await attempt(t, { issuedAt: after(-HOUR), certificate })
  t.match(steps.at(-1), { kind: 'failed', problem: { code: 'rate_limited' }, retryAfterMs: 23 * HOUR })
  t.strictSame(orders, [])
})

t.test('an expired certificate is replaced immediately, whatever retry was scheduled', async (t) => {
  const expired = { ...certificate, notAfter: after(-1) }
  const { steps } = await attempt(t, { state: 'live', certificate: expired, notBefore: after(HOUR) })
  const kinds = steps.map(({ kind }) => kind)
  t.strictSame(kinds, ['expired', 'progress', 'progress', 'progress', 'live'])
})

t.test('the host server is asked at each attempt; a refusal ends it before DNS is queried', async (t) => {
  const asked: unknown[] = []
  const dns = () => void t.fail('DNS is queried')
  for (const answer of ['moved_away', false]) {
    const allow: Allow = async (...given) => {
      asked.push(...given)
      return answer
    }
    const disk = diskOf(domainOf(host, { owner: 'one' }))
    const { worker, settle, steps } = await worldOf(t, { disk, allow, script: { dns } })
    worker.start(host)
    await settle()
    const problem = { code: 'not_allowed', reason: answer || 'not_allowed' }
    t.strictSame(steps, [verifying, { kind: 'failed', problem }])
  }
  t.strictSame(asked, [host, 'one', host, 'one'])
})

t.test('a domain whose ownership must be proven is not served before its TXT record is found, once', async (t) => {
  const proof = { token: 'the-token' }
  const record = { name: `_custom-domains.${host}`, value: proof.token }
  const text = (...queried: [string, string, AbortSignal]) => {
    t.strictSame(queried.slice(0, 2), Object.values(record))
    return false
  }
  const { steps } = await attempt(t, { proof }, { text })
  t.strictSame(steps, [verifying, { kind: 'failed', problem: { code: 'proof_missing', ...record } }])
  const unreachable = { code: 'dns_unreachable', name: record.name } as const
  t.match((await attempt(t, { proof }, { text: () => unreachable })).steps.at(-1), { problem: unreachable })
  const proven = await attempt(t, { proof })
  t.match(proven.get(host), { state: 'live', proof: { ...proof, provenAt: after(0) } })
  const again = await attempt(t, { proof: { ...proof, provenAt: after(-DAY) } }, { text })
  t.match(again.get(host), { state: 'live', proof: { provenAt: after(-DAY) } })
})

t.test('a domain with a target of its own is verified against it alone', async (t) => {
  const at: string[] = []
  const target = 'one.platform.test'
  const { registry } = await attempt(t, { target }, { dns: (_name, target) => void at.push(target) })
  t.strictSame(at, [target])
  t.match(registry.list().domains, [{ record: { value: target } }])
})
