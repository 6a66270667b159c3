import t from 'tap'
import { messageOf } from 'test-kit/message'
import { deferred } from 'test-kit/until'
import { IssueError } from '../../src/certificates/issuer.ts'
import { orderLimiter } from '../../src/maintenance/order-limiter.ts'
import type { Domain } from '../../src/state/domain.ts'
import { loadDomainState } from '../../src/state/domain-state.ts'
import { after, DAY, type FakeClock, fakeClock, HOUR, MINUTE } from '../fixtures/clock.ts'
import { diskOf, storageOn, storedOn } from '../fixtures/disk.ts'
import { domainOf, startWorld, worldOf } from '../fixtures/domains.ts'

const never = new AbortController().signal
const account = 'too many new orders (300) from this account in the last 3h0m0s'
const limited = (retryAfterMs: number, detail = account) =>
  new IssueError({ code: 'rate_limited', detail }, retryAfterMs)
const domain = domainOf('docs.shop.test')

async function limiterAt(clock: FakeClock, storage = storageOn(diskOf())) {
  const { run } = orderLimiter('https://ca.test', await loadDomainState(storage, domainOf), clock)
  /** Begins an order. @returns a function that ends it, once the order runs */
  async function begin(signal = never, of: Domain = domain) {
    const ending = deferred<Error | undefined>()
    const started = deferred<void>()
    const ended = run(of, true, signal, async () => {
      started.resolve()
      const error = await ending.promise
      if (error) throw error
    })
    const settled = ended.catch(() => {})
    await Promise.race([started.promise, ended])
    return async (error?: Error) => {
      ending.resolve(error)
      await settled
    }
  }
  return { run, begin }
}

const errorOf = (promise: Promise<unknown>) => promise.catch((error) => error)

t.test('an order that fails for any other reason does not delay others', async (t) => {
  const { run } = await limiterAt(fakeClock())
  for (const error of [new Error('EIO'), new IssueError({ code: 'ca_refused', detail: 'No.' })]) {
    t.equal(await errorOf(run(domain, true, never, () => Promise.reject(error))), error)
  }
  t.equal(await run(domain, true, never, async () => 'done'), 'done')
})

t.test('at most five orders run at a time; the next one starts when one ends', async (t) => {
  const { begin } = await limiterAt(fakeClock())
  const ends = await Promise.all(Array.from({ length: 5 }, () => begin()))
  let isRunning = false
  const sixth = begin().then(() => {
    isRunning = true
  })
  await Promise.resolve()
  t.equal(isRunning, false)
  await ends[2]?.()
  await sixth
})

t.test('an order that is validated leaves its slot to another, once', async (t) => {
  const { run, begin } = await limiterAt(fakeClock())
  const ending = deferred<void>()
  const validated = run(domain, true, never, async (release) => {
    release()
    release()
    await ending.promise
  })
  const ends = await Promise.all(Array.from({ length: 5 }, () => begin()))
  ending.resolve()
  await validated
  const controller = new AbortController()
  const sixth = messageOf(() => begin(controller.signal))
  controller.abort(new Error('it waited'))
  t.equal(await sixth, 'it waited')
  for (const end of ends) await end()
})

t.test('former orders are counted once for each order, however many wait', async (t) => {
  const state = await loadDomainState(storageOn(diskOf()), domainOf)
  let counts = 0
  function current() {
    const { orders, ...others } = state.current()
    return {
      ...others,
      get orders() {
        counts++
        return orders
      },
    }
  }
  const { run } = orderLimiter('https://ca.test', { ...state, current }, fakeClock())
  await Promise.all(Array.from({ length: 50 }, () => run(domain, true, new AbortController().signal, async () => {})))
  t.equal(counts, 50)
})

t.test('an aborted order leaves the queue', async (t) => {
  const { begin } = await limiterAt(fakeClock())
  t.equal(await messageOf(() => begin(AbortSignal.abort(new Error('gone')))), 'gone')
  const ends = await Promise.all(Array.from({ length: 5 }, () => begin()))
  const controller = new AbortController()
  const left = messageOf(() => begin(controller.signal))
  const next = begin()
  controller.abort(new Error('removed'))
  t.equal(await left, 'removed')
  await ends[0]?.()
  await (await next)()
})

t.test('a limit on the account applies to all domains; after it, a single order tries first', async (t) => {
  const clock = fakeClock()
  const { begin } = await limiterAt(clock)
  const ends = await Promise.all(Array.from({ length: 5 }, () => begin()))
  const waiting = errorOf(begin())
  await ends[0]?.(limited(HOUR))
  t.match(await waiting, { problem: { code: 'rate_limited', detail: account }, retryAfterMs: HOUR })
  for (const end of ends) await end()
  clock.jump(HOUR - MINUTE)
  t.match(await errorOf(begin(never, domainOf('docs.other.test'))), { retryAfterMs: MINUTE })
  clock.jump(MINUTE)
  const probe = await begin()
  let isRunning = false
  const second = begin().then(() => {
    isRunning = true
  })
  await Promise.resolve()
  t.equal(isRunning, false, 'until the first one succeeds')
  await probe()
  await second
  t.equal((await Promise.all([1, 2, 3, 4].map(() => begin()))).length, 4)
})

t.test('a limit applies to the scope that its text names', async (t) => {
  const [docs, help, other] = ['docs.shop.test', 'help.shop.test', 'docs.other.test'].map((host) => domainOf(host))
  const certificate = { issuer: '', notBefore: after(-60 * DAY), notAfter: after(30 * DAY) }
  const renewed = domainOf('help.shop.test', { certificate })
  const cases: [detail: string, limitedDomains: unknown[], ms?: number][] = [
    ['too many new registrations (10) from this IP address in the last 3h0m0s', [docs, help, other, renewed], 3 * HOUR],
    ['too many certificates (50) already issued for "shop.test" in the last 168h0m0s', [docs, help]],
    ['too many certificates already issued for: shop.test', [docs, help]],
    ['too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s', [docs]],
    ['too many failed authorizations (5) for "docs.shop.test" in the last 1h0m0s', [docs]],
    ['Slow down.', [docs]],
  ]
  for (const [detail, expected, ms = 20 * HOUR] of cases) {
    const clock = fakeClock()
    const { begin } = await limiterAt(clock)
    await (await begin(never, docs))(limited(20 * HOUR, detail))
    for (const each of [docs, help, other, renewed]) {
      const outcome = await begin(never, each).then(
        (end) => end(),
        (error) => error.retryAfterMs,
      )
      t.equal(outcome, expected.includes(each) ? ms : undefined, `${detail}: ${each?.name.host}`)
    }
    clock.jump(40 * HOUR)
    await (await begin(never, docs))()
    await (await begin(never, docs))()
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
    const { run } = await limiterAt(fakeClock())
    const renewed = domainOf('docs.shop.test', left === undefined ? {} : { certificate: certificate(left) })
    for (const time of ['first', 'again'])
      t.match(
        await errorOf(run(renewed, true, never, () => Promise.reject(time === 'first' ? error : new Error('placed')))),
        { problem: error.problem, retryAfterMs: wait },
        `${error.message}, ${time}`,
      )
  }
})

t.test('of two limits, the longer one applies', async (t) => {
  for (const [ofAccount, ofHost] of [
    [HOUR, 2 * HOUR],
    [2 * HOUR, HOUR],
  ] as const) {
    const { begin } = await limiterAt(fakeClock())
    const [one, other] = [await begin(), await begin()]
    await one(limited(ofAccount))
    await other(limited(ofHost, 'Slow down.'))
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
  await (await begin())(limited(HOUR, 'Slow down.'))
  clock.jump(2 * HOUR)
  await (await begin(never, domainOf('help.shop.test')))(limited(HOUR, 'Slow down.'))
  t.strictSame([...disk.records.keys()], ['backoff https://ca.test help.shop.test'])
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

t.test('a backoff survives a restart, and a success afterwards ends it', async (t) => {
  const [disk, clock] = [diskOf(), fakeClock()]
  const first = await startWorld({ disk, clock })
  first.script.issue = async () => {
    throw limited(HOUR)
  }
  await first.publish('docs.shop.test')
  await first.close()
  const backoffs = () => storedOn(disk, 'backoff')
  t.match(backoffs(), [{ problem: { code: 'rate_limited' } }])

  const next = await worldOf(t, { disk, clock })
  await next.publish('help.shop.test')
  t.match(next.get('help.shop.test'), { state: 'failed', problem: { code: 'rate_limited', detail: account } })
  t.strictSame(next.orders, [])
  clock.jump(2 * HOUR)
  await next.wake()
  t.strictSame(next.orders, ['docs.shop.test', 'help.shop.test'])
  t.strictSame(backoffs(), [])
})
