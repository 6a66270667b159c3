import { createHash, createHmac, X509Certificate } from 'node:crypto'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { accountKeysOf, createKey } from '../../src/acme/account-keys.ts'
import { acmeIssuer } from '../../src/acme/issuer.ts'
import { originOf, readCertificate, withOrigin } from '../../src/certificates/certificate.ts'
import type { Answer, AuthorityOptions, FirstAnswers } from '../fixtures/acme-authority.ts'
import { at, errorOf, host, problem, setUp, storeOf } from '../fixtures/acme-issuer.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const unsaved = async () => {}
const refused = (detail: string) => ({ code: 'ca_refused', detail })
const unavailable = (detail: string) => ({ code: 'ca_unavailable', detail })
const badNonce = { status: 400, body: problem('badNonce', 'JWS has an invalid anti-replay nonce.') }
const hmacKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'

t.test('a certificate is ordered, validated over HTTP-01 and fetched with its key', async (t) => {
  const challenges = new Map<string, string>()
  const shown: [path: string, challenges: unknown[]][] = []
  const onRequest = (path: string) => shown.push([path, [...challenges]])
  const { issue, requests, sentTo, allClosed } = await setUp(
    t,
    { onRequest },
    { email: 'operator@example.com', challenges },
  )
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  const { hosts, issuer: name } = readCertificate(await issue())
  t.strictSame([...new Set(limits().map(({ args: [ms] }) => ms))], [300_000, 30_000], 'for all, and for each request')
  t.strictSame({ hosts, name }, { hosts: [host], name: 'Tests Authority' })
  t.strictSame(
    requests.map(({ path, payload }) => [path, path === '/finalize' ? Object.keys(payload) : payload]),
    [
      ['/account', { termsOfServiceAgreed: true, contact: ['mailto:operator@example.com'] }],
      ['/order', { identifiers: [{ type: 'dns', value: host }] }],
      ['/authorization', ''],
      ['/challenge', {}],
      ['/authorization', ''],
      ['/order/1', ''],
      ['/finalize', ['csr']],
      ['/order/1', ''],
      ['/certificate', ''],
    ],
  )
  const { crv, kty, x, y } = requests[0]?.header.jwk ?? {} // in the order of RFC 7638
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  const served = shown.filter(([path]) => path === '/challenge')
  t.strictSame(served, [['/challenge', [['for-http', `for-http.${thumbprint}`]]]])
  t.equal(challenges.size, 0)
  t.strictSame([...new Set(requests.map(({ header }) => header.nonce))], ['nonce'], 'the first one has one, too')
  t.ok(Buffer.from(sentTo('/finalize')[0].csr, 'base64url').includes(host))
  await allClosed()
})

t.test('no validation is asked for before the challenge is stored', async (t) => {
  const challenges = { set: () => Promise.reject(new Error('The disk is full.')), delete() {} }
  const { issue, sentTo } = await setUp(t, {}, { challenges })
  await t.rejects(issue(), { message: 'The disk is full.' })
  t.strictSame(sentTo('/challenge'), [])
})

t.test('an order is saved with its key before the certificate is issued, which names its origin', async (t) => {
  const expires = '2126-01-01T00:00:00Z'
  const { issuer, issue, orders, directoryUrl, url, paths } = await setUp(t, { expires })
  const full = () => Promise.reject(new Error('ENOSPC'))
  t.equal((await errorOf(issuer.issue(host, neverAborted, full))).message, 'ENOSPC')
  t.strictSame(paths(), ['/account', '/order'])
  const pem = await issue()
  const [order] = orders
  const placed = { authority: directoryUrl, account: url('account/1'), url: url('order/1'), expires }
  t.match(orders, [{ ...placed, key: /PRIVATE KEY/ }])
  t.ok(pem.includes(String(order?.key)))
  const { authority, issuedAt = '' } = originOf(pem)
  t.equal(authority, directoryUrl)
  t.ok(issuedAt > String(order?.begunAt))
})

t.test('a certificate is revoked with a reason, also repeatedly', async (t) => {
  const pem = await makeCertificate(host)
  const repeated = { status: 400, body: problem('alreadyRevoked', 'It is revoked.') }
  const forbidden = { status: 403, body: problem('unauthorized', 'Not yours.') }
  const { issuer, sentTo } = await setUp(t, { first: { '/revoke': [{}, repeated, forbidden] } })
  await issuer.revoke(host, pem, 'keyCompromise', neverAborted)
  await issuer.revoke(host, pem, 'unspecified', neverAborted)
  const certificate = new X509Certificate(pem).raw.toString('base64url')
  t.strictSame(sentTo('/revoke'), [
    { certificate, reason: 1 },
    { certificate, reason: 0 },
  ])
  t.match((await errorOf(issuer.revoke(host, pem, 'superseded', neverAborted))).problem, refused('Not yours.'))
})

/** That of RFC 9773, section 4.1. */
const example = { authorityKey: '69885b6b87464041e1b37b847ba0ae2cde01c8d4', serialNumber: '0087654321' }
const exampleId = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'

t.test('the authority may suggest when to renew', async (t) => {
  const pem = await makeCertificate(host, example)
  const suggestedWindow = { start: '2026-02-01T00:00:00Z', end: '2026-02-03T00:00:00Z' }
  const expected = { start: '2026-02-01T00:00:00.000Z', end: '2026-02-03T00:00:00.000Z' }
  const hours = (count: number) => ({ ...expected, retryAfterMs: count * 3_600_000 })
  const explanationURL = 'https://ca.test/why'
  const answers: [body: object, expected: object | undefined, retryAfter?: string][] = [
    [{ suggestedWindow }, hours(6)],
    [{ suggestedWindow }, hours(2), '7200'],
    [
      { suggestedWindow, explanationURL },
      { ...hours(6), explanationUrl: explanationURL },
    ],
    [{ suggestedWindow, explanationURL: 'javascript:alert(1)' }, hours(6)],
    [{ suggestedWindow }, hours(24), '1000000'],
    [{ suggestedWindow }, hours(1 / 60), '1'],
    [{ suggestedWindow: { start: suggestedWindow.end, end: suggestedWindow.start } }, undefined],
    [{ suggestedWindow: { ...suggestedWindow, end: 'soon' } }, undefined],
    [{}, undefined],
  ]
  const first: FirstAnswers = {}
  const { issuer } = await setUp(t, { hasRenewalInfo: true, first })
  for (const [body, expected, retryAfter] of answers) {
    first[`/renewal/${exampleId}`] = [{ body, ...(retryAfter && { headers: { 'retry-after': retryAfter } }) }]
    t.strictSame(await issuer.renewalWindow(host, pem, neverAborted), expected)
  }
  const silent = await setUp(t)
  t.equal(await silent.issuer.renewalWindow(host, pem, neverAborted), undefined)
})

t.test('an order names its profile, and the certificate that it replaces at the same authority', async (t) => {
  const { issue, sentTo, directoryUrl } = await setUp(t, { hasRenewalInfo: true }, { profile: 'shortlived' })
  const former = await makeCertificate(host, example)
  const from = (authority: string) => withOrigin(former, { authority, issuedAt: 'now' })
  for (const one of [undefined, from('https://other.test'), from(directoryUrl)]) await issue(one)
  const order = { identifiers: [{ type: 'dns', value: host }], profile: 'shortlived' }
  t.strictSame(sentTo('/order'), [order, order, { ...order, replaces: exampleId }])
})

t.test('only an order that cannot replace a certificate is placed again without, and counts', async (t) => {
  const former = await makeCertificate(host, example)
  const lost = problem('serverInternal', 'Could not find an order for the given certificate.')
  const cases: [answer: Answer | undefined, areReplacements: boolean[], isExempt: boolean[], isKnown?: boolean][] = [
    [undefined, [true], [true]],
    [undefined, [false], [false], false],
    [{ status: 409, body: problem('alreadyReplaced', 'It has been replaced.') }, [true, false], [false]],
    [{ status: 500, body: lost }, [true, false], [false]],
    ...[403, 502, 429].map((status): (typeof cases)[number] => [{ status }, [true], []]),
  ]
  for (const [answer, areReplacements, isExempt, hasRenewalInfo = true] of cases) {
    const { issuer, sentTo, directoryUrl } = await setUp(t, { hasRenewalInfo, ...(answer && at('/order', answer)) })
    const given = withOrigin(former, { authority: directoryUrl, issuedAt: 'now' })
    const saved: unknown[] = []
    const save = async (_order: object, isExempt?: boolean) => void saved.push(isExempt)
    await issuer.issue(host, neverAborted, save, given).catch(() => {})
    t.strictSame([sentTo('/order').map((order) => 'replaces' in order), saved], [areReplacements, isExempt])
  }
})

t.test('an account is bound to an external account', async (t) => {
  const { issue, sentTo, url } = await setUp(t, {}, { externalAccount: { kid: 'kid-1', hmacKey } })
  await issue()
  const [{ externalAccountBinding: binding }] = sentTo('/account')
  const header = JSON.parse(String(Buffer.from(binding.protected, 'base64url')))
  t.strictSame(header, { alg: 'HS256', kid: 'kid-1', url: url('account') })
  const hmac = createHmac('sha256', Buffer.from(hmacKey, 'base64url'))
  t.equal(binding.signature, hmac.update(`${binding.protected}.${binding.payload}`).digest('base64url'))
})

t.test('the authority may have CAA identities', async (t) => {
  const { issuer } = await setUp(t)
  t.strictSame(await issuer.identities(neverAborted), ['authority.example'])
  const url = 'https://ca.test/operation'
  const other = await setUp(t, at('/directory', { body: { newNonce: url, newAccount: url, newOrder: url } }))
  t.strictSame(await other.issuer.identities(neverAborted), [])
})

t.test('each authority is verified with its own roots', async (t) => {
  const [one, other] = [await setUp(t), await setUp(t)]
  await Promise.all([one.issue(), other.issue()])
  for (const ca of [undefined, other.ca]) {
    const { failure } = await setUp(t, {}, { ca })
    t.match((await failure()).problem, { code: 'ca_unavailable', detail: /^self-signed certificate/ })
  }
})

t.test('an account key is created once and reused', async (t) => {
  const { issue, requests, directoryUrl, ca, keys } = await setUp(t, {
    first: { '/order': [{ status: 403 }, { status: 403 }] },
  })
  await Promise.allSettled([issue(), issue()])
  const afterRestart = acmeIssuer({ directoryUrl, ca, accountKey: storeOf(keys), challenges: new Map() })
  await afterRestart.issue(host, neverAborted, unsaved)
  const used = requests.filter(({ path }) => path === '/account').map(({ header }) => JSON.stringify(header.jwk))
  t.strictSame([used.length, new Set(used).size, [...keys.keys()]], [3, 1, [directoryUrl]])
})

t.test('an account that the authority has lost or deactivated is replaced', async (t) => {
  const lost: Answer[] = [
    { status: 403, body: problem('unauthorized', 'An account with the provided key exists but is deactivated') },
    { status: 400, body: problem('accountDoesNotExist', 'Unknown.') },
    { body: { status: 'deactivated' } },
  ]
  for (const answer of lost) {
    const [accounts, former]: [string[], string] = [[], createKey()]
    const onAccount = async (url: string) => void accounts.push(url)
    const { issue, keys, sentTo, directoryUrl, url } = await setUp(t, at('/account', answer), { onAccount }, former)
    await issue()
    t.not(keys.get(directoryUrl), former)
    t.strictSame(accounts, [url('account/1')])
    await issue()
    t.equal(sentTo('/account').length, 3, 'the next session uses it')
  }
  const { failure, keys } = await setUp(
    t,
    at('/account', { status: 403, body: problem('unauthorized', 'Not allowed.') }),
  )
  t.strictSame((await failure()).problem, refused('Not allowed.'))
  t.equal(keys.size, 1)
  const unrecorded = await setUp(t, {}, { onAccount: () => Promise.reject(new Error('ENOSPC')) })
  t.strictSame([(await unrecorded.failure()).message, unrecorded.paths()], ['ENOSPC', ['/account']])
})

t.test('the account is updated to the configured contact address, whether or not the authority keeps it', async (t) => {
  const rejection = { status: 403, body: problem('unauthorized', 'No updates.') }
  for (const [email, answer] of [
    ['old@shop.test', {}],
    ['new@shop.test', {}],
    ['new@shop.test', rejection],
    ['new@shop.test', { status: 503 }],
  ] as const) {
    const first: FirstAnswers = { '/account/1': [answer] }
    const { issue, sentTo, url } = await setUp(t, { first }, { email })
    const body = { status: 'valid', contact: ['mailto:old@shop.test'] }
    first['/account'] = [{ headers: { location: url('account/1') }, body }]
    await issue()
    t.strictSame(sentTo('/account/1'), email === 'new@shop.test' ? [{ contact: ['mailto:new@shop.test'] }] : [])
  }
})

t.test('sessions that lose the same account share its replacement', async (t) => {
  const store = storeOf(new Map())
  const replaced = t.capture(store, 'replace', store.replace)
  const keys = accountKeysOf(store, 'https://ca.test')
  const former = await keys.current()
  const [one, other] = await Promise.all([keys.replace(former), keys.replace(former)])
  t.strictSame([one === other, one === former, replaced().length], [true, false, 2])
  t.intercept(store, 'replace', { value: () => Promise.reject(new Error('ENOSPC')) })
  for (const _time of [1, 2]) await t.rejects(keys.replace(one), { message: 'ENOSPC' }, 'it is tried again')
})

t.test('two instances that create an account key both use the first one', async (t) => {
  const store = storeOf(new Map())
  const late = { ...store, replace: async () => store.replace('https://ca.test', undefined, 'first') }
  t.equal(await accountKeysOf(late, 'https://ca.test').current(), 'first')
})

t.test('a broken account key is replaced', async (t) => {
  const { issue, keys, directoryUrl } = await setUp(t, {}, {}, 'rubbish')
  await issue()
  t.match(keys.get(directoryUrl), /^-----BEGIN PRIVATE KEY/)
})

t.test('an error while loading the account key is passed on, and the next order loads the key again', async (t) => {
  const store = storeOf(new Map())
  const failures = [new Error('disk')]
  const load = async (url: string) => (failures.length > 0 ? Promise.reject(failures.pop()) : store.load(url))
  const { failure, issue } = await setUp(t, {}, { accountKey: { ...store, load } })
  t.equal((await failure()).message, 'disk')
  t.strictSame(readCertificate(await issue()).hosts, [host])
})

t.test('a request with a bad nonce is repeated', async (t) => {
  const paths = ['/account', '/order', '/authorization', '/challenge', '/finalize', '/order/1', '/certificate']
  const first = Object.fromEntries(paths.map((path) => [path, [badNonce, badNonce]]))
  const { issue } = await setUp(t, { first })
  t.strictSame(readCertificate(await issue()).hosts, [host])
})

const page = '<!doctype html><title>Please wait</title>'
const failed = (error?: object) => ({ authorization: { status: 'invalid', challenges: [{ type: 'http-01', error }] } })
const limited = (retryAfter: string, body?: object) =>
  at('/order', { status: 429, headers: { 'retry-after': retryAfter }, body })
const rejected = (status: number, type: string, detail: string, more = {}) =>
  at('/order', { status, body: { ...problem(type, detail), ...more } })
const subproblems = [problem('rateLimited', 'Too many for this host.')]
const closed = { status: 503, headers: { 'retry-after': '120' }, body: '<h1>Back soon</h1>' }
const forbidden = problem('caa', 'A record forbids it.')
const withoutAuthorizations = { headers: { location: 'https://ca.test/order/1' }, body: { status: 'pending' } }
const otherChallenges = { status: 'pending', challenges: [{ type: 'dns-01' }] }
const plain = 'http://127.0.0.1:1/order/1'
const plainOperations = { newNonce: plain, newAccount: plain, newOrder: plain }
const plainOrder = { status: 201, headers: { location: plain }, body: { status: 'ready', finalize: plain } }

const tooMany = (detail: string) => ({ code: 'rate_limited', detail })
const http429 = tooMany('The authority responded with HTTP 429.')
const caaBlocks = { code: 'caa_blocks', level: host, found: [], expected: '', detail: 'A record forbids it.' }
const http408 = unavailable('The authority responded with HTTP 408.')
const onList = { ...refused('On a list.'), isNameRejected: true }
const noReason = refused('The authority gave no reason.')
const noChallenge = refused('The authority offers no HTTP-01 challenge.')
const unresolved = (detail: string, failing?: string) => ({
  code: 'ca_cannot_resolve',
  detail,
  ...(failing && { failing }),
})
const forCom = 'SERVFAIL looking up CAA for COM - it may be malfunctioning'
const lacking = (field: string) => unavailable(`The authority's response has no ${field}.`)
const unreadable = (why: string) => unavailable(`The authority's response cannot be read: ${why}.`)
const endless = unreadable('the response is longer than 1048576 bytes')
const withoutTls = unavailable(`The authority's address ${plain} is not an https URL.`)

const refusals: [what: string, authority: AuthorityOptions, problem: object, retryAfterMs?: number][] = [
  ['a rate limit', limited('3600', problem('rateLimited', 'Too many.')), tooMany('Too many.'), 3_600_000],
  ['a rate limit without a type', at('/order', { status: 429, body: 'slow down' }), http429],
  ['a rate limit without end', limited('Fri, 31 Dec 9999 23:59:59 GMT'), http429, 30 * 24 * 3_600_000],
  ['a rejection whose body is JSON but not an object', at('/order', { status: 429, body: '"busy"' }), http429],
  ['a subproblem', rejected(403, 'compound', 'Some.', { subproblems }), tooMany('Too many for this host.')],
  ['maintenance', at('/directory', closed), unavailable('The authority responded with HTTP 503.'), 120_000],
  ['a CAA record', at('/finalize', { status: 403, body: forbidden }), caaBlocks],
  ['a CAA record found during the order', at('/order/1', { body: { status: 'invalid', error: forbidden } }), caaBlocks],
  ['an order that fails without a reason', at('/order/1', { body: { status: 'invalid' } }), noReason],
  ['a host that cannot be resolved', failed(problem('dns', 'No DNSKEY.')), unresolved('No DNSKEY.')],
  ['a top-level domain that cannot be resolved', failed(problem('dns', forCom)), unresolved(forCom, 'com')],
  ['a name that it rejects', rejected(400, 'rejectedIdentifier', 'On a list.'), onList],
  ...['connection', 'incorrectResponse', 'tls', 'unauthorized'].map((type): (typeof refusals)[number] => [
    `a proof that fails by ${type}`,
    failed(problem(type, 'Fetching it failed.')),
    { code: 'ca_cannot_connect', detail: 'Fetching it failed.' },
  ]),
  ['a validation that fails without a reason', failed(), noReason],
  ['an authority without HTTP-01', at('/authorization', { body: otherChallenges }), noChallenge],
  ['an authorization without challenges', at('/authorization', { body: { status: 'pending' } }), noChallenge],
  ['a page in the place of the account', at('/account', { body: page }), lacking('account')],
  ['a page in the place of the order', at('/order', { body: page }), lacking('order')],
  ['a page in the place of the authorization', at('/authorization', { body: page }), lacking('"status"')],
  ['an order without authorizations', at('/order', withoutAuthorizations), lacking('"authorization"')],
  ['an incomplete response', at('/order', { isCut: true }), unreadable('aborted')],
  ['an endless response', at('/directory', { body: 'x'.repeat(2 ** 20 + 1) }), endless],
  [
    'a text of more than 1,000 characters',
    rejected(400, 'malformed', `a\u0000\n${'😀'.repeat(100_000)}`),
    refused(`a\ufffd ${'😀'.repeat(498)}\ufffd…`),
  ],
  ['a directory that times out', at('/directory', { status: 408, body: '' }), http408],
  ['a limited directory', at('/directory', { status: 429, body: '' }), http429],
  ['a directory without TLS', at('/directory', { body: plainOperations }), withoutTls],
  ['an order without TLS', at('/order', plainOrder), withoutTls],
  ...['https://ca.test/terms', 'javascript:alert(1)', undefined].map((instance): (typeof refusals)[number] => [
    `an action of the operator at ${instance}`,
    rejected(403, 'userActionRequired', 'New terms.', { instance }),
    { ...refused('New terms.'), ...(instance?.startsWith('https:') && { url: instance }) },
  ]),
]

for (const [what, authority, expected, retryAfterMs = 0] of refusals) {
  t.test(`${what} is recognized`, async (t) => {
    const challenges = new Map()
    const { failure } = await setUp(t, authority, { challenges })
    const error = await failure()
    t.strictSame({ problem: error.problem, retryAfterMs: error.retryAfterMs }, { problem: expected, retryAfterMs })
    t.equal(challenges.size, 0)
  })
}

t.test('an unusable certificate is rejected', async (t) => {
  const notAfter = new Date('2026-01-01T00:00:00.000Z')
  const useless: [AuthorityOptions, detail: string | RegExp][] = [
    [{ certifies: 'a.example' }, /^The certificate is for a.example until 20/],
    [{ dates: { notAfter } }, 'The certificate is for docs.example.com until 2026-01-01T00:00:00.000Z.'],
    [at('/certificate', { body: await makeCertificate(host) }), /^The certificate is unusable: .*key values mismatch/],
  ]
  for (const [authority, detail] of useless) {
    const { failure } = await setUp(t, authority)
    t.match((await failure()).problem, { code: 'ca_refused', detail })
  }
})

t.test('an authority that is down is unavailable', async (t) => {
  const { issuer, failure } = await setUp(t, {}, { directoryUrl: 'https://127.0.0.1:1/directory' })
  const expected = unavailable('connect ECONNREFUSED 127.0.0.1:1')
  t.strictSame((await failure()).problem, expected)
  t.strictSame((await errorOf(issuer.identities(neverAborted))).problem, expected)
})

t.test('a URL that leads to anything but a directory is misconfigured', async (t) => {
  const url = 'https://ca.test/operation'
  const foreign: Answer[] = [
    { status: 404, body: page },
    { status: 301, headers: { location: 'https://ca.test/' }, body: '' },
    { body: page },
    { body: ['newNonce', 'newAccount', 'newOrder'] },
    { body: { newNonce: url, newAccount: url } },
    { body: { newNonce: url, newAccount: url, newOrder: 'new-order' } },
  ]
  const { failure, directoryUrl } = await setUp(t, { first: { '/directory': [...foreign] } })
  for (const answer of foreign) {
    const detail = `The response of ${directoryUrl} is not an ACME directory (HTTP ${answer.status ?? 200}).`
    t.strictSame((await failure()).problem, { ...unavailable(detail), isMisconfigured: true }, JSON.stringify(answer))
  }
})

const late = unavailable('The authority did not respond in time.')

t.test('an order that takes too long fails, as does a request long before', async (t) => {
  for (const limit of ['timeoutMs', 'requestTimeoutMs']) {
    const { failure, allClosed } = await setUp(t, at('/directory', undefined), { [limit]: 50 })
    t.strictSame((await failure()).problem, late)
    await allClosed()
  }
})

t.test('an aborted order leaves no challenge', async (t) => {
  for (const path of ['/order', '/challenge', '/finalize']) {
    const controller = new AbortController()
    const challenges = new Map()
    const onRequest = (requested: string) => requested === path && controller.abort()
    const { issuer } = await setUp(t, { ...at(path, undefined), onRequest }, { challenges })
    t.strictSame((await errorOf(issuer.issue(host, controller.signal, unsaved))).problem, late, path)
    t.equal(challenges.size, 0)
  }
  const { issuer, requests } = await setUp(t)
  t.strictSame((await errorOf(issuer.issue(host, AbortSignal.abort(), unsaved))).problem, late)
  t.strictSame(requests, [])
})
