import t from 'tap'
import { messageOf } from '../../../../test/fixtures/message.ts'
import { IssueError, type Issuer } from '../../src/certificates/issuer.ts'
import { type ObtainOptions, obtain } from '../../src/maintenance/obtain.ts'
import { orderLimiter } from '../../src/maintenance/order-limiter.ts'
import type { Step } from '../../src/maintenance/transitions.ts'
import type { Domain, Problem } from '../../src/state/domain.ts'
import { loadDomainState } from '../../src/state/domain-state.ts'
import {
  begin,
  certificateAt,
  DAY,
  domainOf,
  emptyDisk,
  fakeClock,
  HOUR,
  storageOn,
  target,
} from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const after = (ms: number) => new Date(begin.getTime() + ms).toISOString()

const issuer: Issuer = {
  authority: 'https://ca.test/directory',
  identities: async () => ['ca.test'],
  issue: async () => '',
  resume: async () => undefined,
  renewalWindow: async () => undefined,
  revoke: async () => {},
}

async function authoritiesOf(replaced: Partial<Issuer>) {
  const state = await loadDomainState(storageOn(emptyDisk()), domainOf)
  const limiter = orderLimiter(issuer.authority, state, fakeClock())
  return [{ issuer: { ...issuer, ...replaced }, limiter, account: () => 'https://ca.test/account/1' }] as const
}

/** The steps of an attempt, with parts that all succeed unless replaced; `calls` has their calls. */
async function stepsOf(
  domain: Domain,
  replaced: Partial<ObtainOptions> & { stored?: string } = {},
  signal = new AbortController().signal,
) {
  const calls: string[] = []
  const clock = fakeClock()
  const options: ObtainOptions = {
    target,
    dns: {
      async verify(name, target) {
        calls.push(`dns ${name.host} ${target}`)
        return {}
      },
    },
    caa: { check: async (host, { identities, account }) => void calls.push(`caa ${host} ${identities} ${account}`) },
    authorities: await authoritiesOf({
      issue: async (host) => {
        calls.push(`issue ${host}`)
        return certificateAt(host, clock.now())
      },
    }),
    certificates: {
      loadCertificate: async () => replaced.stored,
      saveCertificate: async (host, pem) => void calls.push(`save ${host} ${pem.length > 0}`),
      loadOrder: async () => undefined,
      saveOrder: async () => {},
      loadIssued: async () => replaced.stored,
      deleteKey: async () => {},
    },
    random: () => 0.5,
    clock,
    ...replaced,
  }
  const steps: Step[] = []
  await obtain(domain, signal, async (step) => void steps.push(step), options)
  return { steps, calls }
}

const verifying = { kind: 'progress', state: 'verifying' }
const verified = {
  kind: 'progress',
  state: 'verified',
  verifiedAt: after(0),
  waitingSince: after(0),
  outdated: undefined,
}

t.test('a domain whose record is correct gets a certificate, step by step', async (t) => {
  const { steps, calls } = await stepsOf(domainOf(host))
  t.strictSame(steps.slice(0, -1), [verifying, verified, { kind: 'progress', state: 'issuing' }])
  t.match(steps.at(-1), { kind: 'live', pem: /^-----BEGIN PRIVATE KEY/, issuedAt: after(0) })
  t.strictSame(calls, [
    `dns ${host} ${target}`,
    `caa ${host} ca.test https://ca.test/account/1`,
    `issue ${host}`,
    `save ${host} true`,
  ])
})

t.test('a wrong record ends the attempt', async (t) => {
  const problem = { code: 'record_missing' } as const
  const { steps, calls } = await stepsOf(domainOf(host), { dns: { verify: async () => ({ problem }) } })
  t.strictSame([steps, calls], [[verifying, { kind: 'failed', problem }], []])
})

t.test('a record that is still propagating ends the attempt, unless the domain is live', async (t) => {
  const outdated = { server: 'ns2.shop.test', found: [] }
  const dns = { verify: async () => ({ outdated }) }
  const problem = { code: 'record_not_everywhere', ...outdated }
  const { steps } = await stepsOf(domainOf(host), { dns })
  t.strictSame(steps, [verifying, { kind: 'failed', problem }])
  const certificate = { issuer: '', notBefore: after(-80 * DAY), notAfter: after(10 * DAY) }
  const live = await stepsOf(domainOf(host, { state: 'live', certificate }), { dns })
  t.match(live.steps, [verifying, { ...verified, outdated }, { state: 'issuing' }, { kind: 'live' }])
})

t.test('a record that a resolver does not have yet is enough for a certificate', async (t) => {
  const outdated = { until: after(HOUR), found: [] }
  const { steps } = await stepsOf(domainOf(host), { dns: { verify: async () => ({ outdated }) } })
  t.match(steps, [verifying, { ...verified, outdated }, { state: 'issuing' }, { kind: 'live' }])
})

t.test('blocking CAA records end the attempt before a certificate is ordered', async (t) => {
  const problem: Problem = { code: 'caa_blocks', level: host, found: [], expected: '' }
  const { steps, calls } = await stepsOf(domainOf(host), { caa: { check: async () => problem } })
  t.strictSame(steps, [verifying, verified, { kind: 'failed', problem, retryAfterMs: 0, failures: [] }])
  t.strictSame(calls, [`dns ${host} ${target}`])
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
    const { steps, calls } = await stepsOf(domainOf(host), { stored: pem })
    const last = steps.at(-1) as { pem: string }
    t.strictSame([last.pem === pem, calls.includes(`issue ${host}`)], [isUsed, !isUsed], name)
  }
})

t.test('no certificate is ordered within a day of the last one', async (t) => {
  const certificate = { issuer: '', notBefore: after(0), notAfter: after(90 * DAY) }
  const { steps, calls } = await stepsOf(domainOf(host, { issuedAt: after(-HOUR), certificate }))
  t.match(steps.at(-1), { kind: 'failed', problem: { code: 'rate_limited' }, retryAfterMs: 23 * HOUR })
  t.strictSame(calls, [`dns ${host} ${target}`])
})

t.test('an expired certificate is replaced immediately, or at the retry that is already scheduled', async (t) => {
  const certificate = { issuer: '', notBefore: after(-90 * DAY), notAfter: after(-1) }
  const domain = domainOf(host, { state: 'live', certificate })
  const kindsOf = async (changes: Partial<Domain>) => {
    const { steps } = await stepsOf({ ...domain, ...changes })
    return steps.map(({ kind }) => kind)
  }
  const whole = ['expired', 'progress', 'progress', 'progress', 'live']
  t.strictSame(await kindsOf({}), whole)
  t.strictSame(await kindsOf({ notBefore: after(-HOUR) }), whole)
  t.strictSame(await kindsOf({ notBefore: after(HOUR) }), ['expired'])
  t.strictSame(await kindsOf({ notBefore: after(31 * DAY) }), ['expired'], 'retries have stopped')
})

t.test('an error of the authority is a failure, any other error is thrown', async (t) => {
  const error = new IssueError({ code: 'rate_limited', detail: 'Too many.' }, HOUR)
  const fail = (error: Error) => async () => {
    throw error
  }
  for (const failing of [{ identities: fail(error) }, { issue: fail(error) }]) {
    const { steps } = await stepsOf(domainOf(host), { authorities: await authoritiesOf(failing) })
    t.strictSame(steps.at(-1), { kind: 'failed', problem: error.problem, retryAfterMs: HOUR, failures: [] })
  }
  const broken = await authoritiesOf({ identities: fail(new Error('EIO')) })
  t.equal(await messageOf(() => stepsOf(domainOf(host), { authorities: broken })), 'EIO')
})
