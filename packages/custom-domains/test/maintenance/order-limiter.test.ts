import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { messageOf } from 'test-kit/message'
import { deferred } from 'test-kit/until'
import { IssueError } from '../../src/certificates/issuer.ts'
import { orderLimiter } from '../../src/maintenance/order-limiter.ts'
import type { Domain } from '../../src/state/domain.ts'
import { loadDomainState } from '../../src/state/domain-state.ts'
import { after, DAY, type FakeClock, fakeClock, HOUR, MINUTE } from '../fixtures/clock.ts'
import { diskOf, storageOn } from '../fixtures/disk.ts'
import { domainOf } from '../fixtures/domains.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const account = 'too many new orders (300) from this account in the last 3h0m0s'
const limited = (retryAfterMs: number, detail = account) =>
  new IssueError({ code: 'rate_limited', detail }, retryAfterMs)
const domain = domainOf('docs.shop.test')

async function limiterAt(clock: FakeClock, storage = storageOn(diskOf())) {
  const { run } = orderLimiter('https://ca.test', await loadDomainState(storage, domainOf), clock)
  /** Begins an order. @returns a function that ends it, once the order runs */
  async function begin(of: Domain = domain, signal = neverAborted) {
    const ending = deferred<Promise<void>>()
    const started = deferred<void>()
    const ended = run(of, true, signal, async () => {
      started.resolve()
      await ending.promise
    })
    const settled = ended.catch(() => {})
    await Promise.race([started.promise, ended])
    return async (error?: Error) => {
      ending.resolve(error ? Promise.reject(error) : Promise.resolve())
      await settled
    }
  }
  const five = () => Promise.all(Array.from({ length: 5 }, () => begin()))
  /** The outcome of an order that fails like this. */
  const failing = (of: Domain, error: Error) => errorOf(run(of, true, neverAborted, () => Promise.reject(error)))
  return { run, begin, five, failing }
}

const errorOf = (promise: Promise<unknown>) => promise.catch((error) => error)

t.test('an order that fails for any other reason does not delay others', async (t) => {
  const { run, failing } = await limiterAt(fakeClock())
  for (const error of [new Error('EIO'), new IssueError({ code: 'ca_refused', detail: 'No.' })])
    t.equal(await failing(domain, error), error)
  t.equal(await run(domain, true, neverAborted, async () => 'done'), 'done')
})

t.test('at most five orders run at a time; the next one starts when one ends', async (t) => {
  const { begin, five } = await limiterAt(fakeClock())
  const ends = await five()
  const events: string[] = []
  const sixth = begin().then(() => events.push('sixth'))
  await setImmediate()
  events.push('end')
  await ends[2]?.()
  await sixth
  t.strictSame(events, ['end', 'sixth'])
})

t.test('an order that is validated leaves its slot to another, once', async (t) => {
  const { run, begin, five } = await limiterAt(fakeClock())
  const ending = deferred<void>()
  const validated = run(domain, true, neverAborted, async (release) => {
    release()
    release()
    await ending.promise
  })
  const ends = await five()
  ending.resolve()
  await validated
  const controller = new AbortController()
  const sixth = messageOf(() => begin(domain, controller.signal))
  controller.abort(new Error('it waited'))
  t.equal(await sixth, 'it waited')
  for (const end of ends) await end()
})

t.test('former orders are counted once for each order, however many wait', async (t) => {
  const state = await loadDomainState(storageOn(diskOf()), domainOf)
  let counts = 0
  const get = () => {
    counts++
    return new Map()
  }
  const current = () => Object.defineProperty({ ...state.current() }, 'orders', { get })
  const { run } = orderLimiter('https://ca.test', { ...state, current }, fakeClock())
  await Promise.all(Array.from({ length: 50 }, () => run(domain, true, new AbortController().signal, async () => {})))
  t.equal(counts, 50)
})

t.test('an aborted order leaves the queue', async (t) => {
  const { begin, five } = await limiterAt(fakeClock())
  t.equal(await messageOf(() => begin(domain, AbortSignal.abort(new Error('gone')))), 'gone')
  const ends = await five()
  const controller = new AbortController()
  const left = messageOf(() => begin(domain, controller.signal))
  const next = begin()
  controller.abort(new Error('removed'))
  t.equal(await left, 'removed')
  await ends[0]?.()
  await (await next)()
})

t.test('a limit on the account applies to all domains; after it, a single order tries first', async (t) => {
  const clock = fakeClock()
  const { begin, five } = await limiterAt(clock)
  const ends = await five()
  const waiting = errorOf(begin())
  await ends[0]?.(limited(HOUR))
  t.match(await waiting, { problem: { code: 'rate_limited', detail: account }, retryAfterMs: HOUR })
  for (const end of ends) await end()
  clock.jump(HOUR - MINUTE)
  t.match(await errorOf(begin(domainOf('docs.other.test'))), { retryAfterMs: MINUTE })
  clock.jump(MINUTE)
  const probe = await begin()
  const events: string[] = []
  const second = begin().then(() => events.push('second'))
  await setImmediate()
  events.push('first')
  await probe()
  await second
  t.strictSame(events, ['first', 'second'])
  t.equal((await Promise.all([1, 2, 3, 4].map(() => begin()))).length, 4)
})

t.test('a limit applies to the scope that its text names', async (t) => {
  const [docs, help, other] = ['docs.shop.test', 'help.shop.test', 'docs.other.test'].map((host) => domainOf(host))
  const certificate = { issuer: '', notBefore: after(-60 * DAY), notAfter: after(30 * DAY) }
  const renewed = domainOf('help.shop.test', { certificate })
  const cases: [detail: string, limitedDomains: unknown[], ms?: number][] = [
    ['too many new registrations (10) from this IP address in the last 3h0m0s', [docs, help, other, renewed], 3 * HOUR],
    ['too many currently pending authorizations', [docs, help, other, renewed], 3 * HOUR],
    ['too many new orders recently', [docs, help, other, renewed], 3 * HOUR],
    ['too many certificates (50) already issued for "shop.test" in the last 168h0m0s', [docs, help]],
    ['too many certificates already issued for: shop.test', [docs, help]],
    ['too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s', [docs]],
    ['too many failed authorizations (5) for "docs.shop.test" in the last 1h0m0s', [docs]],
    ['Slow down.', [docs]],
  ]
  for (const [detail, expected, ms = 20 * HOUR] of cases) {
    const clock = fakeClock()
    const { begin } = await limiterAt(clock)
    await (await begin(docs))(limited(20 * HOUR, detail))
    for (const each of [docs, help, other, renewed]) {
      const outcome = await begin(each).then(
        (end) => end(),
        (error) => error.retryAfterMs,
      )
      t.equal(outcome, expected.includes(each) ? ms : undefined, `${detail}: ${each?.name.host}`)
    }
    clock.jump(40 * HOUR)
    for (const _time of [1, 2]) await (await begin(docs))()
  }
})

t.test('no wait is longer than a day, or a tenth of the life that a certificate has left', async (t) => {
  const certificate = (left: number) => ({ issuer: '', notBefore: after(left - 90 * DAY), notAfter: after(left) })
  const busy = (ms: number) => new IssueError({ code: 'ca_unavailable', detail: 'HTTP 503' }, ms)
  const cases: [error: IssueError, left: number | undefined, wait: number][] = [
    [busy(28 * DAY), undefined, DAY],
    [busy(28 * DAY), 20 * DAY, 2 * DAY],
    [busy(2 * HOUR), 20 * DAY, 2 * HOUR],
    [busy(28 * DAY), -DAY, DAY],
    [limited(60 * DAY, 'Slow down.'), 20 * DAY, 2 * DAY],
    [limited(60 * DAY, 'Slow down.'), undefined, DAY],
    [limited(DAY), 20 * DAY, 3 * HOUR],
    [limited(DAY), 2 * HOUR, 12 * MINUTE],
  ]
  for (const [error, left, wait] of cases) {
    const { failing } = await limiterAt(fakeClock())
    const renewed = domainOf('docs.shop.test', left === undefined ? {} : { certificate: certificate(left) })
    for (const failure of [error, new Error('placed again')])
      t.match(await failing(renewed, failure), { problem: error.problem, retryAfterMs: wait }, failure.message)
  }
})

t.test('of two limits, the longer one applies', async (t) => {
  for (const ofAccount of [HOUR, 2 * HOUR]) {
    const { begin } = await limiterAt(fakeClock())
    const [one, other] = [await begin(), await begin()]
    await one(limited(ofAccount))
    await other(limited(3 * HOUR - ofAccount, 'Slow down.'))
    t.match(await errorOf(begin()), { retryAfterMs: 2 * HOUR })
  }
})

t.test('a limit without an end lasts a minute; after the clock was set back, none', async (t) => {
  const clock = fakeClock()
  const { begin } = await limiterAt(clock)
  await (await begin())(limited(0))
  t.match(await errorOf(begin()), { retryAfterMs: MINUTE })
  clock.jump(-DAY)
  await (await begin())()
  await (await begin())(new Error('EIO'))
  await t.resolves(begin())
})

t.test('expired limits are deleted', async (t) => {
  const clock = fakeClock()
  const disk = diskOf()
  const { begin } = await limiterAt(clock, storageOn(disk))
  for (const [of, detail] of [
    [domain, account],
    [domain, 'Slow down.'],
    [domainOf('help.shop.test'), 'Slow down.'],
  ] as const) {
    await (await begin(of))(limited(HOUR, detail))
    clock.jump(2 * HOUR)
  }
  const left = ['backoff https://ca.test', 'backoff https://ca.test help.shop.test']
  t.strictSame([...disk.records.keys()], left, 'but that of the account, until an order succeeds')
})

t.test('a limit applies before it is saved, and an order that succeeds meanwhile does not end it', async (t) => {
  const { promise, resolve } = deferred<string>()
  let saving = Promise.resolve('')
  const save = () => saving
  const { begin } = await limiterAt(fakeClock(), { ...storageOn(diskOf()), save })
  const [one, other] = [await begin(), await begin()]
  saving = promise
  const noted = one(limited(HOUR))
  await other()
  t.match(await errorOf(begin()), { retryAfterMs: HOUR })
  resolve('')
  await noted
  t.match(await errorOf(begin()), { retryAfterMs: HOUR })
})
