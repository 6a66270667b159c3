import t from 'tap'
import { type RehearsalOptions, rehearse, rehearsedDays, type Scenario, scenarios } from '../../src/rehearsal/index.ts'
import type { Domain } from '../../src/state/domain.ts'
import type { StoredRecord } from '../../src/state/storage.ts'
import { after, begin, DAY, HOUR } from '../fixtures/clock.ts'
import { domainOf, target } from '../fixtures/domains.ts'

const authority = 'https://ca.test/directory'
const hostAt = (index: number) => `docs.${index}.test`

/** Live, with a certificate that has so much left. */
function live(host: string, left: number, { life = 90 * DAY, suggests = true, ...changes }: Live = {}): StoredRecord {
  const [notBefore, due] = [after(left - life), left - life / 3]
  const renewal = { start: after(due), end: after(due + DAY), at: after(due + HOUR), checkAt: after(HOUR) }
  const certificate = { authority, issuer: 'Tests', notBefore, notAfter: after(left), ...(suggests && { renewal }) }
  const times = { verifiedAt: after(-HOUR), liveSince: notBefore, issuedAt: notBefore }
  return { kind: 'domain', name: host, value: domainOf(host, { state: 'live', ...times, certificate, ...changes }) }
}

type Live = Partial<Domain> & { life?: number; suggests?: boolean }

const rehearsed = (records: StoredRecord[], scenario: Scenario, given: Partial<RehearsalOptions> = {}) =>
  rehearse(scenario, { records, authorities: [{ directoryUrl: authority }], target, now: begin, ...given })

const expiredIn = async (...given: Parameters<typeof rehearsed>) => {
  const { expired } = await rehearsed(...given)
  return expired.map(({ domain, at, until }) => [
    domain,
    (Date.parse(at) - begin.getTime()) / DAY,
    until && Math.round((Date.parse(until) - begin.getTime()) / HOUR) / 24,
  ])
}

t.test('certificates of 90 days survive all but a target that is renamed', async (t) => {
  const records = [10, 40, 70].map((left, index) => live(hostAt(index), left * DAY))
  const lost = await Promise.all(scenarios.map((scenario) => expiredIn(records, scenario)))
  const ends = [10, 40, 70].map((days, index) => [hostAt(index), days, undefined])
  t.strictSame(lost, [[], [], [], [], ends])
})

t.test('while the authority is away, what is about to expire does; a fallback prevents that', async (t) => {
  const records = [live(hostAt(0), 3 * DAY, { life: 6 * DAY }), live(hostAt(1), 5.5 * DAY, { life: 6 * DAY })]
  t.match(await expiredIn(records, 'authority_away'), [[hostAt(0), 3, 5]])
  const authorities = [{ directoryUrl: authority }, { directoryUrl: 'https://fallback.test' }] as const
  t.strictSame(await expiredIn(records, 'authority_away', { authorities }), [])
  const { loads } = await rehearsed(records, 'authority_away', { authorities })
  t.match(loads, [{ authority }, { authority: 'https://fallback.test' }])
})

t.test('what is stored as wrong stays so, unless it ends by itself', async (t) => {
  const failing = { failingSince: after(-DAY), failedAt: after(-HOUR), notBefore: after(HOUR), attempts: 5 }
  const problems: Domain['problem'][] = [
    { code: 'record_missing' },
    { code: 'caa_blocks', level: 'test', found: [], expected: '' },
    { code: 'ca_refused', detail: 'No.' },
    { code: 'not_allowed', reason: 'unpaid' },
    { code: 'ca_unavailable', detail: 'HTTP 503' },
    { code: 'certificate_expired', notAfter: after(-DAY) },
  ]
  const records = problems.map((problem, index) =>
    live(hostAt(index), 2 * DAY, { ...failing, ...(problem && { problem }) }),
  )
  t.strictSame((await expiredIn(records, 'as_stored')).map(([host]) => host).sort(), [0, 1, 2, 3].map(hostAt))
})

t.test('an authority that announces a revocation has replaced all in time; another one has not', async (t) => {
  const announced = [live(hostAt(0), 40 * DAY), live(hostAt(1), 80 * DAY)]
  t.strictSame(await expiredIn(announced, 'all_revoked'), [])
  const { loads } = await rehearsed(announced, 'all_revoked')
  t.match(loads[0]?.limits[0], { scope: 'account', allowed: 300, most: 0 }, 'they count towards no limit')
  t.ok((loads[0]?.orders ?? 0) >= 2)
  const silent = [live(hostAt(0), 40 * DAY, { suggests: false })]
  t.match(await expiredIn(silent, 'all_revoked'), [[hostAt(0), 1, Number]])
  const failed = live(hostAt(1), 40 * DAY, { suggests: false, state: 'failed' })
  t.equal((await expiredIn([...silent, failed], 'all_revoked')).length, 1, 'what is not live has nothing to lose')
  const renewed = await rehearsed(silent, 'as_stored')
  t.match(renewed.loads[0]?.limits, [{ most: 1 }, { scope: 'zone', most: 0 }, { most: 1 }], 'a renewal counts')
})

t.test('the orders are counted for each day, and against each limit', async (t) => {
  const name = (index: number) => `${index}.shop.test`
  const added = Array.from({ length: 12 }, (_, index): StoredRecord => {
    return { kind: 'domain', name: name(index), value: domainOf(name(index), { state: 'verifying' }) }
  })
  const authorities = [{ directoryUrl: authority, orderLimit: 10 }] as const
  const records = [...added, live(hostAt(0), 60 * DAY)]
  const { loads, expired } = await rehearsed(records, 'as_stored', { authorities })
  t.strictSame(expired, [])
  const limits = [
    { scope: 'account', hours: 3, allowed: 10, most: 9 },
    { scope: 'zone', name: 'shop.test', hours: 168, allowed: 50, most: 12 },
    { scope: 'host', hours: 168, allowed: 5, most: 1 },
  ]
  t.match(loads, [{ authority, ordersADay: { min: 0, median: 0, max: 12 }, limits }])
})

t.test('another authority replaces every certificate, within its limits', async (t) => {
  const records = Array.from({ length: 260 }, (_, index) => live(hostAt(index), (20 + (index % 10)) * DAY))
  const { loads, expired } = await rehearsed(records, 'authority_changed')
  t.strictSame(expired, [])
  t.match(loads, [{ authority: 'https://another-authority.invalid/directory', limits: [{ most: 240, allowed: 300 }] }])
  t.ok((loads[0]?.orders ?? 0) >= 260)
})

t.test('a rehearsal lasts until every stored certificate has ended, or a month', async (t) => {
  t.equal(rehearsedDays({ records: [live(hostAt(0), 40.5 * DAY)], now: begin }), 42)
  t.equal(rehearsedDays({ records: [{ kind: 'primary', name: '', value: hostAt(0) }], now: begin }), 30)
})

t.test('a redirect of the configuration and the platform are domains like any other', async (t) => {
  const records: StoredRecord[] = [
    live(hostAt(0), 40 * DAY, { isPlatform: true }),
    live(hostAt(1), 40 * DAY, { target: 'own.test' }),
    { kind: 'primary', name: '', value: hostAt(2) },
  ]
  t.strictSame(await expiredIn(records, 'target_renamed'), [])
})

t.test('domains without a certificate, of an unknown authority, or with a proof are rehearsed as well', async (t) => {
  const value = domainOf(hostAt(0), { state: 'verifying', proof: { token: 'token' } })
  const unproven: StoredRecord = { kind: 'domain', name: hostAt(0), value }
  t.match(await rehearsed([unproven], 'as_stored'), { expired: [], loads: [{ orders: 1 }] })
  const former = live(hostAt(1), 10 * DAY)
  const { certificate, ...domain } = former.value as Domain
  const foreign = { ...former, value: { ...domain, certificate: { ...certificate, authority: undefined } } }
  t.strictSame(await expiredIn([unproven, foreign], 'as_stored'), [])
})
