import t from 'tap'
import { IssueError, readCertificate } from '../../../domains/certificates/certificate.ts'
import { advance, expired, failed, isFor, live, type StepOptions } from '../../../domains/maintenance/obtain.ts'
import type { Domain, Problem } from '../../../domains/state/domain.ts'
import { makeCertificate } from '../../fixtures/certificate.ts'
import { begin, certificateAt, DAY, domainOf, fakeClock, HOUR, MINUTE, target } from '../../fixtures/domains.ts'
import { messageOf } from '../../fixtures/message.ts'

const host = 'docs.shop.test'
const after = (ms: number) => new Date(begin.getTime() + ms).toISOString()
const detail = 'Too many.'

/** Steps over parts that all agree, unless given; `states` and `asked` grow. */
function stepsOf(domain: Domain, changed: Partial<StepOptions> & { kept?: string } = {}) {
  const states: Partial<Domain>[] = []
  const asked: string[] = []
  const clock = fakeClock()
  const options: StepOptions = {
    target,
    dns: { verify: async (name, target) => void asked.push(`dns ${name.host} ${target}`) },
    caa: { check: async (host, identities) => void asked.push(`caa ${host} ${identities}`) },
    issuer: {
      identities: async () => ['ca.test'],
      issue: async (host) => {
        asked.push(`issue ${host}`)
        return certificateAt(host, clock.now())
      },
    },
    storage: {
      loadCertificate: async () => changed.kept,
      saveCertificate: async (host, pem) => void asked.push(`save ${host} ${pem.length > 0}`),
    },
    clock,
    random: () => 0.5,
    ...changed,
  }
  const update = async (changes: Partial<Domain>) => {
    states.push(changes)
    return { ...domain, ...changes }
  }
  const done = advance(domain, update, new AbortController().signal, options)
  return { states, asked, done }
}

t.test('a domain whose record is right gets a certificate, step by step', async (t) => {
  const { states, asked, done } = stepsOf(domainOf(host))
  const outcome = await done
  t.match(outcome, { pem: /^-----BEGIN PRIVATE KEY/, issuedAt: after(0) })
  t.strictSame(states, [
    { state: 'verifying' },
    { state: 'verified', verifiedAt: after(0), waitingSince: after(0) },
    { state: 'issuing', orderedAt: [after(0)] },
  ])
  t.strictSame(asked, [`dns ${host} ${target}`, `caa ${host} ca.test`, `issue ${host}`, `save ${host} true`])
})

t.test('a wrong record ends it', async (t) => {
  const problem = { code: 'record_missing' } as const
  const { states, asked, done } = stepsOf(domainOf(host), { dns: { verify: async () => problem } })
  t.strictSame(await done, { problem })
  t.strictSame([states, asked], [[{ state: 'verifying' }], []])
})

t.test('CAA records that block end it before an order is made', async (t) => {
  const problem: Problem = { code: 'caa_blocks', level: host, found: [], expected: '' }
  const { states, asked, done } = stepsOf(domainOf(host), { caa: { check: async () => problem } })
  t.strictSame(await done, { problem })
  t.strictSame(
    states.map(({ state }) => state),
    ['verifying', 'verified'],
  )
  t.strictSame(asked, [`dns ${host} ${target}`])
})

t.test('a kept certificate that is good is used, another one is not', async (t) => {
  const kept: [name: string, pem: string, isUsed: boolean][] = [
    ['good', await certificateAt(host, begin), true],
    ['to be renewed', await certificateAt(host, new Date(after(-60 * DAY))), false],
    ['not valid yet', await certificateAt(host, new Date(after(2 * HOUR))), false],
    ['of another host', await certificateAt('other.shop.test', begin), false],
    ['broken', 'rubbish', false],
  ]
  for (const [name, pem, isUsed] of kept) {
    const { asked, done } = stepsOf(domainOf(host), { kept: pem })
    const outcome = (await done) as { pem: string }
    t.strictSame([outcome.pem === pem, asked.includes(`issue ${host}`)], [isUsed, !isUsed], name)
  }
})

t.test('no order is made within a day after a success', async (t) => {
  const certificate = { issuer: '', notBefore: after(0), notAfter: after(90 * DAY) }
  const { asked, done } = stepsOf(domainOf(host, { issuedAt: after(-HOUR), certificate }))
  t.match(await done, { problem: { code: 'rate_limited' }, retryAfterMs: 23 * HOUR })
  t.strictSame(asked, [`dns ${host} ${target}`])
})

t.test('what the authority refuses is a failure, what else goes wrong is thrown', async (t) => {
  const refusal = new IssueError({ code: 'rate_limited', detail }, HOUR)
  const fail = (error: Error) => async () => {
    throw error
  }
  for (const issuer of [
    { identities: fail(refusal), issue: async () => '' },
    { identities: async () => [], issue: fail(refusal) },
  ]) {
    t.match(await stepsOf(domainOf(host), { issuer }).done, { problem: refusal.problem, retryAfterMs: HOUR })
  }
  const broken = { identities: fail(new Error('EIO')), issue: async () => '' }
  t.equal(await messageOf(() => stepsOf(domainOf(host), { issuer: broken }).done), 'EIO')
})

t.test('failures in a row are followed by longer and longer waits', async (t) => {
  const options = { clock: fakeClock(), random: () => 0.5 } as unknown as StepOptions
  const problem = { code: 'record_missing' } as const
  let domain = domainOf(host, { state: 'verifying' })
  const waits = Array.from({ length: 9 }, () => {
    domain = failed(domain, { problem }, options)
    return (Date.parse(String(domain.notBefore)) - begin.getTime()) / MINUTE
  })
  t.strictSame(waits, [1, 5, 15, 60, 180, 360, 720, 1440, 1440])
  t.match(domain, { state: 'failed', problem, attempts: 9, failingSince: after(0), limitedUntil: undefined })
})

t.test('a rate limit lasts as long as the authority says, or until the next try', async (t) => {
  const options = { clock: fakeClock(), random: () => 0.5 } as unknown as StepOptions
  const problem = { code: 'rate_limited', detail } as const
  const limits = (attempts: number, retryAfterMs?: number) => {
    const failure = retryAfterMs === undefined ? { problem } : { problem, retryAfterMs }
    const { notBefore, limitedUntil } = failed(domainOf(host, { attempts }), failure, options)
    return [notBefore, limitedUntil]
  }
  t.strictSame(limits(0, HOUR), [after(HOUR), after(HOUR)])
  t.strictSame(limits(9, HOUR), [after(DAY), after(HOUR)])
  t.strictSame(limits(0), [after(MINUTE), after(MINUTE)])
})

t.test('a live domain stays live until its certificate ends, whatever fails', async (t) => {
  const options = { clock: fakeClock(), random: () => 0.5 } as unknown as StepOptions
  const stateWith = (notAfter: string) => {
    const certificate = { issuer: '', notBefore: after(-DAY), notAfter }
    return failed(domainOf(host, { state: 'live', certificate }), { problem: { code: 'record_missing' } }, options)
      .state
  }
  t.strictSame([stateWith(after(1)), stateWith(after(0))], ['live', 'failed'])
})

t.test('a certificate that has ended is tried at once, or when the next try was to be', async (t) => {
  const certificate = { issuer: '', notBefore: after(-90 * DAY), notAfter: after(-1) }
  const problem = { code: 'certificate_expired', notAfter: after(-1) }
  const domain = domainOf(host, { state: 'live', certificate, liveSince: after(-90 * DAY) })
  const { liveSince, ...rest } = domain
  t.strictSame(expired(domain, begin), {
    ...rest,
    state: 'failed',
    problem,
    failingSince: after(0),
    notBefore: after(0),
  })
  const failing = { ...domain, failingSince: after(-30 * DAY), notBefore: after(HOUR) }
  t.match(expired(failing, begin), { failingSince: after(0), notBefore: after(HOUR) })
})

t.test('a domain that is live forgets what was wrong, and knows its certificate', async (t) => {
  const { problem, failingSince, ...domain } = domainOf(host, { state: 'issuing', orderedAt: [after(0)] })
  const troubled: Domain = {
    ...domain,
    problem: { code: 'record_missing' },
    attempts: 3,
    failingSince: after(-DAY),
    notBefore: after(0),
    limitedUntil: after(0),
    waitingSince: after(-DAY),
  }
  const pem = await certificateAt(host, begin)
  const { hosts, ...certificate } = readCertificate(pem)
  const shown = { ...domain, state: 'live', attempts: 0, liveSince: after(0), certificate }
  t.strictSame(live(troubled, { pem }, begin), shown)
  t.strictSame(live(troubled, { pem, issuedAt: after(0) }, begin), { ...shown, issuedAt: after(0) })
  t.match(live({ ...troubled, liveSince: after(-DAY) }, { pem }, begin), { liveSince: after(-DAY) })
  t.equal(isFor(host, pem), true)
  t.equal(isFor(host, await makeCertificate('other.shop.test')), false)
  t.equal(isFor(host, ''), false)
})
