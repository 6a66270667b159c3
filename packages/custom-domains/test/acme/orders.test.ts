// A placed order is kept until the authority ends it, it expires, or its account is gone.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import t, { type Test } from 'tap'
import { cutShort } from 'test-kit/certificate'
import { readCertificate } from '../../src/certificates/certificate.ts'
import { OrderEndedError, type PendingOrder } from '../../src/certificates/issuer.ts'
import type { Answer, AuthorityOptions, FirstAnswers } from '../fixtures/acme-authority.ts'
import { at, errorOf, problem, setUp } from '../fixtures/acme-issuer.ts'
import { DAY } from '../fixtures/clock.ts'

const host = 'docs.example.com'
const never = new AbortController().signal

/** An attempt that fails after it has placed its order. */
async function failedAttempt(t: Test, authority: AuthorityOptions) {
  const { issuer, requests, keys } = await setUp(t, { authority })
  let order: PendingOrder | undefined
  const issued = issuer.issue(host, never, async (placed) => {
    order = placed
  })
  const error = await errorOf(issued)
  return { issuer, requests, keys, error, order: order as PendingOrder }
}

const page = '<!doctype html><title>Forbidden</title>'
const badNonce = { status: 400, body: problem('badNonce', 'JWS has an invalid anti-replay nonce.') }

t.test('no response but the state of the order ends it: the next attempt completes the same one', async (t) => {
  const missing = { status: 404, body: problem('malformed', 'No such resource.') }
  const forbidden = { status: 403, body: page }
  const notReady = { status: 403, body: problem('orderNotReady', 'The order is not ready.') }
  const answers: [path: string, first: Answer[], code?: string][] = [
    ['/authorization', [missing]],
    ['/order/1', [missing]],
    ['/certificate', [missing]],
    ['/finalize', [forbidden]],
    ['/order/1', [forbidden]],
    ['/order/1', [{ body: page }]],
    ['/certificate', [{ body: page }]],
    ['/finalize', [notReady]],
    ['/finalize', Array(10).fill(badNonce)],
  ]
  for (const [path, first, code = 'ca_unavailable'] of answers) {
    const { issuer, requests, error, order } = await failedAttempt(t, { first: { [path]: first } })
    t.notOk(error instanceof OrderEndedError, path)
    t.match(error.problem, { code })
    t.strictSame(readCertificate(String(await issuer.resume(host, order, never))).hosts, [host])
    t.equal(requests.filter(({ path }) => path === '/order').length, 1)
  }
})

t.test('a certificate whose download is cut short is downloaded again', async (t) => {
  let downloads = 0
  const damage = async (chain: string) => (downloads++ === 0 ? cutShort(chain) : chain)
  const { issuer, error, order } = await failedAttempt(t, { damage })
  t.match(error.problem, { code: 'ca_unavailable', detail: /has no certificate/ })
  t.strictSame(readCertificate(String(await issuer.resume(host, order, never))).hosts, [host])
})

t.test('an order that cannot be read is kept until it expires', async (t) => {
  const missing = { status: 404, body: problem('malformed', 'No such order.') }
  const answers: [answer: Answer, code: string][] = [
    [missing, 'ca_unavailable'],
    [{ status: 503 }, 'ca_unavailable'],
    [{ status: 429 }, 'rate_limited'],
  ]
  const later = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  for (const [answer, code] of answers) {
    for (const [order, isKept] of [
      [{ begunAt: later(-30), expires: later(1) }, true],
      [{ begunAt: later(-1), expires: later(-0.5) }, false],
      [{ begunAt: later(-6) }, true],
      [{ begunAt: later(-8) }, false],
    ] as const) {
      const { issuer, directoryUrl } = await setUp(t, { authority: at('/order/1', answer) })
      const url = directoryUrl.replace('/directory', '/order/1')
      const resumed = issuer.resume(host, { authority: '', key: '', url, ...order }, never)
      if (isKept) t.match((await errorOf(resumed)).problem, { code })
      else t.equal(await resumed, undefined)
    }
  }
})

t.test('an order is gone once it is invalid, has expired unfinished, or its account is gone', async (t) => {
  const first: FirstAnswers = { '/finalize': [{ status: 503 }] }
  const { issuer, order } = await failedAttempt(t, { first })
  first['/order/1'] = [{ body: { status: 'invalid' } }]
  t.equal(await issuer.resume(host, order, never), undefined)
  t.equal(await issuer.resume(host, { ...order, expires: '2026-01-01T00:00:00Z' }, never), undefined)
  t.equal(await issuer.resume(host, { ...order, account: 'https://ca.test/account/former' }, never), undefined)
  t.type(await issuer.resume(host, order, never), 'string')
  const isIssued = { ...order, expires: '2026-01-01T00:00:00Z' }
  t.type(await issuer.resume(host, isIssued, never), 'string', 'what was issued is used')
})

t.test('an order names its account and when it expires', async (t) => {
  const first: FirstAnswers = { '/finalize': [{ status: 503 }] }
  const expires = '2126-01-01T00:00:00Z'
  const { order } = await failedAttempt(t, { first, expires })
  t.match(order, { account: /\/account\/1$/, expires })
})

t.test('an authority that ends an order says so', async (t) => {
  const failed = (path: string) => at(path, { body: { status: 'invalid' } })
  for (const authority of [failed('/order/1'), failed('/authorization'), { certifies: 'a.example' }]) {
    const { error } = await failedAttempt(t, authority)
    t.ok(error instanceof OrderEndedError)
  }
})

t.test('a key or request that the authority refuses is never sent again', async (t) => {
  for (const type of ['badCSR', 'badPublicKey']) {
    const { error } = await failedAttempt(t, { first: { '/finalize': [{ status: 400, body: problem(type, 'No.') }] } })
    t.ok(error instanceof OrderEndedError, type)
    t.match(error.problem, { code: 'ca_refused', detail: 'No.' })
  }
})

t.test('an order that is lost, or stays unfinished, is reported as such', async (t) => {
  const missing = { status: 404, body: problem('malformed', 'No such order.') }
  t.equal((await failedAttempt(t, { first: { '/order/1': [missing] } })).error.stall, 'lost')
  const processing = { body: { status: 'processing' }, headers: { 'retry-after': '3600' } }
  t.equal((await failedAttempt(t, at('/finalize', processing))).error.stall, 'unfinished')
  t.equal((await failedAttempt(t, { first: { '/finalize': [{ status: 503 }] } })).error.stall, undefined)
})

t.test('an order is finalized once it is ready', async (t) => {
  const pending = { body: { status: 'pending' } }
  const { issuer, requests } = await setUp(t, { authority: { first: { '/order/1': [pending, pending] } } })
  await issuer.issue(host, never, async () => {})
  const paths = requests.map(({ path }) => path).filter((path) => path === '/order/1' || path === '/finalize')
  t.strictSame(paths, ['/order/1', '/order/1', '/order/1', '/finalize', '/order/1'])
})

t.test('an order says when its host is validated, before it waits for anything else', async (t) => {
  const pending = { body: { status: 'pending' } }
  const first: FirstAnswers = { '/order/1': [pending], '/finalize': [{ status: 503 }] }
  const { issuer, requests } = await setUp(t, { authority: { first } })
  const validated: unknown[] = []
  const onValidated = () => validated.push(requests.at(-1)?.path)
  let order: PendingOrder | undefined
  const save = async (placed: PendingOrder) => {
    order = placed
  }
  await errorOf(issuer.issue(host, never, save, undefined, onValidated))
  await issuer.resume(host, order as unknown as PendingOrder, never, onValidated)
  t.strictSame(validated, ['/authorization', '/order/1'])
})

t.test('an order that is processing is polled as often as the authority asks', async (t) => {
  const slept: number[] = []
  t.teardown(syncBuiltinESMExports)
  t.intercept(timers, 'setTimeout', { value: async (ms: number) => void slept.push(ms) })
  syncBuiltinESMExports()
  const processing = { body: { status: 'processing' }, headers: { 'retry-after': '1' } }
  const { issuer } = await setUp(t, {
    authority: { first: { '/order/1': [{ body: { status: 'ready' } }, processing] } },
  })
  await issuer.issue(host, never, async () => {})
  t.strictSame(slept, [250, 1_000])
})

t.test('an authority that asks for more patience than an attempt has is asked again later', async (t) => {
  const processing = { body: { status: 'processing' }, headers: { 'retry-after': '3600' } }
  const { issuer, error, order } = await failedAttempt(t, at('/finalize', processing))
  t.match(error.problem, { code: 'ca_unavailable', detail: 'The order is still processing.' })
  t.equal(error.retryAfterMs, 3_600_000)
  t.type(await issuer.resume(host, order, never), 'string')
})
