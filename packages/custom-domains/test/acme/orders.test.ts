// A placed order is kept until the authority ends it, it expires, or its account is gone.
import t, { type Test } from 'tap'
import { cutShort } from 'test-kit/certificate'
import { interceptPauses } from 'test-kit/pauses'
import { readCertificate } from '../../src/certificates/certificate.ts'
import { OrderEndedError } from '../../src/certificates/issuer.ts'
import type { Answer, AuthorityOptions, FirstAnswers } from '../fixtures/acme-authority.ts'
import { at, errorOf, host, problem, setUp } from '../fixtures/acme-issuer.ts'
import { DAY } from '../fixtures/clock.ts'

/** An attempt that fails after it has placed its order. */
async function failedAttempt(t: Test, authority: AuthorityOptions) {
  const started = await setUp(t, authority)
  return { ...started, error: await started.failure() }
}

const page = '<!doctype html><title>Forbidden</title>'
const down = { status: 503 }
const missing = { status: 404, body: problem('malformed', 'No such resource.') }
const inState = (status: string, more = {}) => ({ body: { status, ...more } })
const processing = { ...inState('processing'), headers: { 'retry-after': '3600' } }

t.test('no response but the state of the order ends it: the next attempt completes the same one', async (t) => {
  const forbidden = { status: 403, body: page }
  const notReady = { status: 403, body: problem('orderNotReady', 'The order is not ready.') }
  const badNonce = { status: 400, body: problem('badNonce', 'JWS has an invalid anti-replay nonce.') }
  const answers: [path: string, ...first: Answer[]][] = [
    ...['/authorization', '/order/1', '/certificate'].map((path): (typeof answers)[number] => [path, missing]),
    ['/finalize', forbidden],
    ['/order/1', { body: page }],
    ['/certificate', { body: page }],
    ['/finalize', notReady],
    ['/finalize', ...Array(10).fill(badNonce)],
  ]
  for (const [path, ...first] of answers) {
    const { sentTo, error, resume } = await failedAttempt(t, { first: { [path]: first } })
    t.notOk(error instanceof OrderEndedError, path)
    t.match(error.problem, { code: 'ca_unavailable' })
    t.strictSame(readCertificate(String(await resume())).hosts, [host])
    t.equal(sentTo('/order').length, 1)
  }
})

t.test('an order is completed from each of its states, with its original key', async (t) => {
  const states: [statuses: string, paths: string[]][] = [
    ['valid', ['/certificate']],
    ['processing', ['/order/1', '/certificate']],
    ['ready', ['/finalize', '/order/1', '/certificate']],
    ['ready ready', ['/finalize', '/order/1', '/order/1', '/certificate']], // read from a replica that is behind
    ['pending ready', ['/authorization', '/order/1', '/finalize', '/order/1', '/certificate']], // it is authorized
  ]
  const first: FirstAnswers = { '/certificate': [down] }
  const { url, orders, paths, requests, resume } = await failedAttempt(t, { first })
  const urls = { authorizations: [url('authorization')], finalize: url('finalize'), certificate: url('certificate') }
  for (const [statuses, expected] of states) {
    first['/order/1'] = statuses.split(' ').map((status) => inState(status, urls))
    requests.length = 0
    t.ok((await resume())?.includes(String(orders[0]?.key)), statuses)
    t.strictSame(paths(), ['/account', '/order/1', ...expected])
  }
})

t.test('a certificate whose download is cut short is downloaded again', async (t) => {
  let downloads = 0
  const damage = (chain: string) => (downloads++ === 0 ? cutShort(chain) : chain)
  const { error, resume } = await failedAttempt(t, { damage })
  t.match(error.problem, { code: 'ca_unavailable', detail: /has no certificate/ })
  t.strictSame(readCertificate(String(await resume())).hosts, [host])
})

t.test('an order that cannot be read is kept until it expires', async (t) => {
  const later = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  const first: FirstAnswers = { '/order/1': [missing] }
  const { resume } = await failedAttempt(t, { first })
  for (const [dates, isKept] of [
    [{ begunAt: later(-30), expires: later(1) }, true],
    [{ begunAt: later(-1), expires: later(-0.5) }, false],
    [{ begunAt: later(-6) }, true],
    [{ begunAt: later(-8) }, false],
  ] as const) {
    for (const answer of [missing, down]) {
      first['/order/1'] = [answer]
      if (isKept) t.match((await errorOf(resume(dates))).problem, { code: 'ca_unavailable' })
      else t.equal(await resume(dates), undefined)
    }
  }
})

t.test('an order is gone once it is invalid, has expired unfinished, or its account is gone', async (t) => {
  const first: FirstAnswers = { '/finalize': [down] }
  const { resume } = await failedAttempt(t, { first })
  first['/order/1'] = [inState('invalid')]
  t.equal(await resume(), undefined)
  const expires = '2026-01-01T00:00:00Z'
  t.equal(await resume({ expires }), undefined)
  t.equal(await resume({ account: 'https://ca.test/account/former' }), undefined)
  t.type(await resume(), 'string')
  t.type(await resume({ expires }), 'string', 'what was issued is used')
})

t.test('an authority that ends an order, or refuses its key or request, says so: neither is sent again', async (t) => {
  const refusal = (type: string) => at('/finalize', { status: 400, body: problem(type, 'No.') })
  const invalid = ['/order/1', '/authorization'].map((path) => at(path, inState('invalid')))
  for (const authority of [...invalid, { certifies: 'a.example' }, refusal('badCSR'), refusal('badPublicKey')]) {
    const { error } = await failedAttempt(t, authority)
    t.ok(error instanceof OrderEndedError)
    t.match(error.problem, { code: 'ca_refused' })
  }
})

t.test('an order that is lost, or needs more patience than an attempt has, is reported as such', async (t) => {
  const stallOf = async (path: string, answer: Answer) => (await failedAttempt(t, at(path, answer))).error.stall
  t.strictSame([await stallOf('/order/1', missing), await stallOf('/finalize', down)], ['lost', undefined])
  const { error, resume } = await failedAttempt(t, at('/finalize', processing))
  t.match(error.problem, { code: 'ca_unavailable', detail: 'The order is still processing.' })
  t.strictSame([error.stall, error.retryAfterMs], ['unfinished', 3_600_000])
  t.type(await resume(), 'string')
})

t.test('an order says when its host is validated, before it waits for anything else', async (t) => {
  const { issue, paths, resume } = await setUp(t, { first: { '/order/1': [inState('pending')], '/finalize': [down] } })
  const validated: unknown[] = []
  const onValidated = () => validated.push(paths().at(-1))
  await errorOf(issue(undefined, onValidated))
  await resume({}, onValidated)
  t.strictSame(validated, ['/authorization', '/order/1'])
})

t.test('an order that is processing is polled as often as the authority asks', async (t) => {
  const slept: unknown[] = []
  interceptPauses(t, async (ms) => void slept.push(ms))
  const soon = { ...inState('processing'), headers: { 'retry-after': '1' } }
  const { issue } = await setUp(t, { first: { '/order/1': [inState('ready'), soon] } })
  await issue()
  t.strictSame(slept, [250, 1_000])
})
