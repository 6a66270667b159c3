import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { messageOf } from 'test-kit/message'
import { accountKeysOf, createKey } from '../../src/acme/account-keys.ts'
import { acmeIssuer } from '../../src/acme/issuer.ts'
import { originOf, readCertificate, withOrigin } from '../../src/certificates/certificate.ts'
import type { PendingOrder } from '../../src/certificates/issuer.ts'
import type { Answer, AuthorityOptions, FirstAnswers } from '../fixtures/acme-authority.ts'
import { at, errorOf, problem, setUp, storeOf } from '../fixtures/acme-issuer.ts'

const host = 'docs.example.com'
const never = new AbortController().signal
const unsaved = async () => {}

t.test('a certificate is ordered, validated over HTTP-01 and fetched with its key', async (t) => {
  const challenges = new Map<string, string>()
  const shown: [path: string, challenges: string[]][] = []
  const { issuer, requests, allClosed } = await setUp(t, {
    issuer: { email: 'operator@example.com', challenges },
    authority: { onRequest: (path) => shown.push([path, [...challenges.keys()]]) },
  })
  const { hosts, issuer: name } = readCertificate(await issuer.issue(host, never, unsaved))
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
  t.strictSame(
    shown.filter(([path]) => path === '/challenge'),
    [['/challenge', ['for-http']]],
  )
  t.equal(challenges.size, 0)
  t.strictSame([...new Set(requests.map(({ header }) => header.nonce))], ['nonce'], 'the first one has one, too')
  const csr = requests.find(({ path }) => path === '/finalize')?.payload.csr
  const signingRequest = new x509.Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'))
  t.equal(await signingRequest.verify(), true)
  const [names] = signingRequest.extensions.filter((each) => each instanceof x509.SubjectAlternativeNameExtension)
  t.strictSame(names?.names.toJSON(), [{ type: 'dns', value: host }])
  await allClosed()
})

t.test('an order is saved with its key before the certificate is issued, which names its origin', async (t) => {
  const saved: [order: PendingOrder, requests: string[]][] = []
  const { issuer, requests, directoryUrl } = await setUp(t)
  const pem = await issuer.issue(host, never, async (order) => {
    saved.push([order, requests.map(({ path }) => path)])
  })
  const [[order, before] = []] = saved
  t.match(order, { authority: directoryUrl, url: directoryUrl.replace('/directory', '/order/1'), key: /PRIVATE KEY/ })
  t.strictSame([saved.length, before], [1, ['/account', '/order']])
  t.ok(pem.includes(String(order?.key)))
  const { authority, issuedAt = '' } = originOf(pem)
  t.equal(authority, directoryUrl)
  t.ok(issuedAt > String(order?.begunAt))
  const full = await setUp(t)
  const unwritable = full.issuer.issue(host, never, () => Promise.reject(new Error('ENOSPC')))
  t.equal((await errorOf(unwritable)).message, 'ENOSPC')
  t.notOk(full.requests.some(({ path }) => path === '/finalize'))
})

t.test('an order is completed from each of its states, with its original key', async (t) => {
  const states: [statuses: string[], paths: string[]][] = [
    [['valid'], ['/certificate']],
    [['processing'], ['/order/1', '/certificate']],
    [['ready'], ['/finalize', '/order/1', '/certificate']],
    [
      ['ready', 'ready'],
      ['/finalize', '/order/1', '/order/1', '/certificate'],
    ], // read from a replica that is behind
    [
      ['pending', 'ready'],
      ['/authorization', '/order/1', '/finalize', '/order/1', '/certificate'],
    ], // it is authorized
  ]
  for (const [statuses, paths] of states) {
    const first: FirstAnswers = {}
    const { issuer, requests, directoryUrl } = await setUp(t, { authority: { first } })
    let order: PendingOrder | undefined
    first['/certificate'] = [{ status: 503 }]
    const failed = issuer.issue(host, never, async (begun) => {
      order = begun
    })
    t.match((await errorOf(failed)).problem, { code: 'ca_unavailable' })
    const origin = directoryUrl.replace('/directory', '')
    const urls = { authorizations: [`${origin}/authorization`], finalize: `${origin}/finalize` }
    first['/order/1'] = statuses.map((status) => ({ body: { status, ...urls, certificate: `${origin}/certificate` } }))
    const before = requests.length
    const pem = await issuer.resume(host, order as PendingOrder, never)
    t.ok(pem?.includes(String(order?.key)), statuses.join())
    t.strictSame(
      requests.slice(before).map(({ path }) => path),
      ['/account', '/order/1', ...paths],
    )
  }
})

t.test('a certificate is revoked with a reason, also repeatedly', async (t) => {
  const pem = await makeCertificate(host)
  const first = {
    '/revoke': [
      {},
      { status: 400, body: problem('alreadyRevoked', 'It is revoked.') },
      { status: 403, body: problem('unauthorized', 'Not yours.') },
    ],
  }
  const { issuer, requests } = await setUp(t, { authority: { first } })
  await issuer.revoke(host, pem, 'keyCompromise', never)
  await issuer.revoke(host, pem, 'unspecified', never)
  const payloads = requests.filter(({ path }) => path === '/revoke').map(({ payload }) => payload)
  const certificate = new X509Certificate(pem).raw.toString('base64url')
  t.strictSame(payloads, [
    { reason: 1, certificate },
    { reason: 0, certificate },
  ])
  t.match((await errorOf(issuer.revoke(host, pem, 'superseded', never))).problem, {
    code: 'ca_refused',
    detail: 'Not yours.',
  })
})

const authorityKey = '69885b6b87464041e1b37b847ba0ae2cde01c8d4'
const renewalPath = '/renewal/aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'

t.test('the authority may suggest when to renew', async (t) => {
  const pem = await makeCertificate(host, { authorityKey, serialNumber: '0087654321' })
  const window = { start: '2026-02-01T00:00:00Z', end: '2026-02-03T00:00:00Z' }
  const expected = { start: '2026-02-01T00:00:00.000Z', end: '2026-02-03T00:00:00.000Z' }
  const hours = (count: number) => ({ ...expected, retryAfterMs: count * 3_600_000 })
  const explained = { ...hours(6), explanationUrl: 'https://ca.test/why' }
  const answers: [body: object, expected: object | undefined, retryAfter?: string][] = [
    [{ suggestedWindow: window }, hours(6)],
    [{ suggestedWindow: window }, hours(2), '7200'],
    [{ suggestedWindow: window, explanationURL: 'https://ca.test/why' }, explained],
    [{ suggestedWindow: window, explanationURL: 'javascript:alert(1)' }, hours(6)],
    [{ suggestedWindow: window }, hours(24), '1000000'],
    [{ suggestedWindow: window }, hours(1 / 60), '1'],
    [{ suggestedWindow: { start: window.end, end: window.start } }, undefined],
    [{ suggestedWindow: { ...window, end: 'soon' } }, undefined],
    [{}, undefined],
  ]
  for (const [body, expected, retryAfter] of answers) {
    const answer = { body, ...(retryAfter && { headers: { 'retry-after': retryAfter } }) }
    const { issuer } = await setUp(t, { authority: { hasRenewalInfo: true, ...at(renewalPath, answer) } })
    t.strictSame(await issuer.renewalWindow(host, pem, never), expected)
  }
  const silent = await setUp(t)
  t.equal(await silent.issuer.renewalWindow(host, pem, never), undefined)
  const { issuer } = await setUp(t, { authority: { hasRenewalInfo: true } })
  t.equal(await issuer.renewalWindow(host, await makeCertificate(host), never), undefined, 'it has no identifier')
})

t.test('an order names its profile, and the certificate that it replaces at the same authority', async (t) => {
  const { issuer, requests, directoryUrl } = await setUp(t, {
    issuer: { profile: 'shortlived' },
    authority: { hasRenewalInfo: true, first: {} },
  })
  const former = await makeCertificate(host, { authorityKey, serialNumber: '0087654321' })
  const from = (authority: string) => withOrigin(former, { authority, issuedAt: '' })
  for (const one of [undefined, from('https://other.test'), from(directoryUrl).replace('Issued: ', 'Issued: now')]) {
    await issuer.issue(host, never, unsaved, one)
  }
  const order = { identifiers: [{ type: 'dns', value: host }], profile: 'shortlived' }
  const payloads = requests.filter(({ path }) => path === '/order').map(({ payload }) => payload)
  t.strictSame(payloads, [order, order, { ...order, replaces: 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE' }])
})

t.test('an order that cannot replace a certificate is placed without; other rejections are final', async (t) => {
  const former = await makeCertificate(host, { authorityKey, serialNumber: '0087654321' })
  for (const [answer, isIssued] of [
    [{ status: 409, body: problem('alreadyReplaced', 'It has been replaced.') }, true],
    [{ status: 403 }, false],
    [{ status: 500, body: problem('serverInternal', 'Could not find an order for the given certificate.') }, true],
    [{ status: 502 }, false],
    [{ status: 429 }, false],
  ] as const) {
    const { issuer, requests, directoryUrl } = await setUp(t, {
      authority: { hasRenewalInfo: true, ...at('/order', answer) },
    })
    const given = withOrigin(former, { authority: directoryUrl, issuedAt: 'now' })
    const issued = await issuer.issue(host, never, unsaved, given).then(
      () => true,
      () => false,
    )
    const replaced = requests.filter(({ path }) => path === '/order').map(({ payload }) => 'replaces' in payload)
    t.strictSame([issued, replaced], [isIssued, isIssued ? [true, false] : [true]])
  }
  const current = await setUp(t)
  const given = withOrigin(former, { authority: current.directoryUrl, issuedAt: 'now' })
  await current.issuer.issue(host, never, unsaved, given)
  t.notOk(
    current.requests.some(({ payload }) => payload.replaces),
    'an authority without renewal information',
  )
})

t.test('an account is bound to an external account', async (t) => {
  const externalAccount = { kid: 'kid-1', hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
  const { issuer, requests } = await setUp(t, { issuer: { externalAccount } })
  await issuer.issue(host, never, unsaved)
  const { externalAccountBinding: binding } = requests.find(({ path }) => path === '/account')?.payload ?? {}
  t.match(JSON.parse(String(Buffer.from(binding.protected, 'base64url'))), { alg: 'HS256', kid: 'kid-1' })
})

t.test('the authority may have CAA identities', async (t) => {
  const { issuer } = await setUp(t)
  t.strictSame(await issuer.identities(never), ['authority.example'])
  const url = 'https://ca.test/operation'
  const body = { newNonce: url, newAccount: url, newOrder: url }
  const other = await setUp(t, { authority: at('/directory', { body }) })
  t.strictSame(await other.issuer.identities(never), [])
})

t.test('each authority is verified with its own roots', async (t) => {
  const [one, other] = [await setUp(t), await setUp(t)]
  await Promise.all([one.issuer.issue(host, never, unsaved), other.issuer.issue(host, never, unsaved)])
  for (const ca of [undefined, other.ca]) {
    const { issuer } = await setUp(t, { issuer: { ca } })
    const problem = { code: 'ca_unavailable', detail: /^self-signed certificate/ }
    t.match((await errorOf(issuer.issue(host, never, unsaved))).problem, problem)
  }
})

t.test('an account key is created once and reused', async (t) => {
  const keys = new Map<string, string>()
  const first = { '/order': [{ status: 403 }, { status: 403 }] }
  const { issuer, requests, directoryUrl, ca } = await setUp(t, { keys, authority: { first } })
  await Promise.allSettled([issuer.issue(host, never, unsaved), issuer.issue(host, never, unsaved)])
  const afterRestart = acmeIssuer({ directoryUrl, ca, accountKey: storeOf(keys), challenges: new Map() })
  await afterRestart.issue(host, never, unsaved)
  const used = requests.filter(({ path }) => path === '/account').map(({ header }) => JSON.stringify(header.jwk))
  t.equal(used.length, 3)
  t.equal(new Set(used).size, 1)
  t.strictSame([...keys.keys()], [directoryUrl])
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
    const options = { key: former, authority: at('/account', answer), issuer: { onAccount } }
    const { issuer, keys, requests, directoryUrl } = await setUp(t, options)
    await issuer.issue(host, never, unsaved)
    t.not(keys.get(directoryUrl), former)
    t.strictSame(accounts, [directoryUrl.replace('directory', 'account/1')])
    await issuer.issue(host, never, unsaved)
    t.equal(requests.filter(({ path }) => path === '/account').length, 3, 'the next session uses it')
  }
  const unauthorized = { status: 403, body: problem('unauthorized', 'Not allowed.') }
  const { issuer, keys } = await setUp(t, { authority: at('/account', unauthorized) })
  t.match((await errorOf(issuer.issue(host, never, unsaved))).problem, { code: 'ca_refused' })
  t.equal(keys.size, 1)
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
    const { issuer, requests, directoryUrl } = await setUp(t, { issuer: { email }, authority: { first } })
    const account = directoryUrl.replace('directory', 'account/1')
    const registered = { status: 'valid', contact: ['mailto:old@shop.test'] }
    first['/account'] = [{ headers: { location: account }, body: registered }]
    await issuer.issue(host, never, unsaved)
    const updates = requests.filter(({ path }) => path === '/account/1').map(({ payload }) => payload)
    t.strictSame(updates, email === 'new@shop.test' ? [{ contact: ['mailto:new@shop.test'] }] : [])
  }
})

t.test('sessions that lose the same account share its replacement', async (t) => {
  const keys = accountKeysOf(storeOf(new Map()), 'https://ca.test')
  const former = await keys.current()
  const [one, other] = await Promise.all([keys.replace(former), keys.replace(former)])
  t.equal(one, other)
  t.not(one, former)
})

t.test('two instances that create an account key both use the first one', async (t) => {
  const store = storeOf(new Map())
  const late = { ...store, replace: async () => store.replace('https://ca.test', undefined, 'first') }
  t.equal(await accountKeysOf(late, 'https://ca.test').current(), 'first')
})

t.test('a broken account key is replaced', async (t) => {
  const { issuer, keys, directoryUrl } = await setUp(t, { key: 'rubbish' })
  await issuer.issue(host, never, unsaved)
  t.match(keys.get(directoryUrl), /^-----BEGIN PRIVATE KEY/)
})

t.test('an error while loading the account key is passed on, and the next order loads the key again', async (t) => {
  const store = storeOf(new Map())
  let isBroken = true
  async function load(url: string) {
    if (!isBroken) return store.load(url)
    isBroken = false
    throw new Error('disk')
  }
  const { issuer } = await setUp(t, { issuer: { accountKey: { ...store, load } } })
  t.equal(await messageOf(() => issuer.issue(host, never, unsaved)), 'disk')
  t.strictSame(readCertificate(await issuer.issue(host, never, unsaved)).hosts, [host])
})

t.test('a host with a valid authorization is not validated again', async (t) => {
  const valid = { body: { status: 'valid', challenges: [] } }
  const first = { '/authorization': [valid], '/order/1': [{ body: { status: 'ready' } }] }
  const { issuer, requests } = await setUp(t, { authority: { first } })
  await issuer.issue(host, never, unsaved)
  t.notOk(requests.some(({ path }) => path === '/challenge'))
})

t.test('a request with a bad nonce is repeated', async (t) => {
  const badNonce = { status: 400, body: problem('badNonce', 'JWS has an invalid anti-replay nonce.') }
  const paths = ['/account', '/order', '/authorization', '/challenge', '/finalize', '/order/1', '/certificate']
  const first = Object.fromEntries(paths.map((path) => [path, [badNonce, badNonce]]))
  const { issuer } = await setUp(t, { authority: { first } })
  t.strictSame(readCertificate(await issuer.issue(host, never, unsaved)).hosts, [host])
})

const page = '<!doctype html><title>Please wait</title>'
const failed = (error?: object) => ({ authorization: { status: 'invalid', challenges: [{ type: 'http-01', error }] } })
const limited = (retryAfter: string, body?: object) =>
  at('/order', { status: 429, headers: { 'retry-after': retryAfter }, body })
const orderWithSubproblem = {
  ...problem('compound', 'Some of the identifiers were rejected.'),
  subproblems: [problem('rateLimited', 'Too many for this host.')],
}
const closed = { status: 503, headers: { 'retry-after': '120' }, body: '<h1>Back soon</h1>' }
const deactivated = 'The account is deactivated.'
const forbidden = problem('caa', 'A record forbids it.')
const withoutAuthorizations = { headers: { location: 'https://ca.test/order/1' }, body: { status: 'pending' } }
const otherChallenges = { status: 'pending', challenges: [{ type: 'dns-01' }] }

const refused = (detail: string) => ({ code: 'ca_refused', detail })
const unavailable = (detail: string) => ({ code: 'ca_unavailable', detail })
const tooMany = (detail: string) => ({ code: 'rate_limited', detail })
const http429 = tooMany('The authority responded with HTTP 429.')
const caaBlocks = { code: 'caa_blocks', level: host, found: [], expected: '', detail: 'A record forbids it.' }
const noReason = refused('The authority gave no reason.')
const noChallenge = refused('The authority offers no HTTP-01 challenge.')

const refusals: [what: string, authority: AuthorityOptions, problem: object, retryAfterMs?: number][] = [
  ['a rate limit', limited('3600', problem('rateLimited', 'Too many.')), tooMany('Too many.'), 3_600_000],
  ['a rate limit without a type', at('/order', { status: 429, body: 'slow down' }), http429],
  ['a rate limit with an invalid Retry-After', limited('soon'), http429],
  ['a rate limit without end', limited('Fri, 31 Dec 9999 23:59:59 GMT'), http429, 30 * 24 * 3_600_000],
  ['a rate limit in the past', limited('Wed, 21 Oct 2015 07:28:00 GMT'), http429],
  ['a rejection whose body is JSON but not an object', at('/order', { status: 429, body: '"busy"' }), http429],
  ['a subproblem', at('/order', { status: 403, body: orderWithSubproblem }), tooMany('Too many for this host.')],
  ['maintenance', at('/directory', closed), unavailable('The authority responded with HTTP 503.'), 120_000],
  [
    'a failure within the authority',
    at('/finalize', { status: 500, body: problem('serverInternal', 'Oops.') }),
    unavailable('Oops.'),
  ],
  [
    'an account that is not allowed to order',
    at('/order', { status: 403, body: problem('unauthorized', deactivated) }),
    refused(deactivated),
  ],
  ['a CAA record', at('/finalize', { status: 403, body: forbidden }), caaBlocks],
  [
    'a CAA record that is checked during the order',
    at('/order/1', { body: { status: 'invalid', error: forbidden } }),
    caaBlocks,
  ],
  ['an order that fails without a reason', at('/order/1', { body: { status: 'invalid' } }), noReason],
  [
    'a host that cannot be resolved',
    failed(problem('dns', 'DNSSEC: DNSKEY missing.')),
    { code: 'ca_cannot_resolve', detail: 'DNSSEC: DNSKEY missing.' },
  ],
  [
    'a top-level domain that cannot be resolved',
    failed(problem('dns', 'SERVFAIL looking up CAA for COM - it may be malfunctioning')),
    { code: 'ca_cannot_resolve', detail: 'SERVFAIL looking up CAA for COM - it may be malfunctioning', failing: 'com' },
  ],
  [
    'a name that the authority rejects',
    at('/order', { status: 400, body: problem('rejectedIdentifier', 'It is on a list.') }),
    { ...refused('It is on a list.'), isNameRejected: true },
  ],
  ...['connection', 'incorrectResponse', 'tls', 'unauthorized'].map((type): [string, AuthorityOptions, object] => [
    `a proof that fails by ${type}`,
    failed(problem(type, 'Fetching it failed.')),
    { code: 'ca_cannot_connect', detail: 'Fetching it failed.' },
  ]),
  ['a validation that fails without a reason', failed(), noReason],
  ['an authority without HTTP-01', at('/authorization', { body: otherChallenges }), noChallenge],
  ['an authorization without challenges', at('/authorization', { body: { status: 'pending' } }), noChallenge],
  ...[
    ['account', 'account'],
    ['order', 'order'],
    ['authorization', '"status"'],
  ].map(([what, lack]): [string, AuthorityOptions, object] => [
    `a page in the place of the ${what}`,
    at(`/${what}`, { body: page }),
    unavailable(`The authority's response has no ${lack}.`),
  ]),
  [
    'an order without authorizations',
    at('/order', withoutAuthorizations),
    unavailable('The authority\'s response has no "authorization".'),
  ],
  [
    'an incomplete response',
    at('/order', { isCut: true }),
    unavailable("The authority's response cannot be read: aborted."),
  ],
]

t.test('where the authority asks for an action of the operator, the problem has its address', async (t) => {
  const asked = { ...problem('userActionRequired', 'Terms have changed.'), instance: 'https://ca.test/terms' }
  for (const [body, url] of [
    [asked, { url: 'https://ca.test/terms' }],
    [{ ...asked, instance: 'javascript:alert(1)' }, {}],
    [problem('userActionRequired', 'Terms have changed.'), {}],
  ] as const) {
    const { issuer } = await setUp(t, { authority: at('/order', { status: 403, body }) })
    const { problem } = await errorOf(issuer.issue(host, never, unsaved))
    t.strictSame(problem, { code: 'ca_refused', detail: 'Terms have changed.', ...url })
  }
})

t.test('a certificate is ordered for a host of any length', async (t) => {
  for (const long of [`${'a'.repeat(60)}.example.com`, `${`${'a'.repeat(59)}.`.repeat(4)}com`]) {
    const { issuer } = await setUp(t)
    t.strictSame(readCertificate(await issuer.issue(long, never, unsaved)).hosts, [long])
  }
})

for (const [what, authority, expected, retryAfterMs = 0] of refusals) {
  t.test(`${what} is recognized by its type`, async (t) => {
    const challenges = new Map()
    const { issuer } = await setUp(t, { issuer: { challenges }, authority })
    const error = await errorOf(issuer.issue(host, never, unsaved))
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
    const { issuer } = await setUp(t, { authority })
    t.match((await errorOf(issuer.issue(host, never, unsaved))).problem, { code: 'ca_refused', detail })
  }
})

t.test('an authority that is down is unavailable', async (t) => {
  const issuer = acmeIssuer({
    directoryUrl: 'https://127.0.0.1:1/directory',
    accountKey: storeOf(new Map()),
    challenges: new Map(),
  })
  const expected = unavailable('connect ECONNREFUSED 127.0.0.1:1')
  t.strictSame((await errorOf(issuer.issue(host, never, unsaved))).problem, expected)
  t.strictSame((await errorOf(issuer.identities(never))).problem, expected)
})

t.test('a URL that leads to anything but a directory is misconfigured', async (t) => {
  const page = '<!doctype html><title>Welcome</title>'
  const url = 'https://ca.test/operation'
  const foreign: Answer[] = [
    { status: 404, body: page },
    { status: 404, body: problem('malformed', 'Page not found') },
    { status: 403, body: page },
    { status: 405, body: {} },
    { status: 301, headers: { location: 'https://ca.test/' }, body: '' },
    { body: page },
    { body: '' },
    { body: ['newNonce', 'newAccount', 'newOrder'] },
    { body: { swagger: '2.0' } },
    { body: { newNonce: url, newAccount: url } },
    { body: { newNonce: url, newAccount: url, newOrder: 'new-order' } },
  ]
  for (const answer of foreign) {
    const { issuer, directoryUrl } = await setUp(t, { authority: at('/directory', answer) })
    const { status = 200 } = answer
    const detail = `The response of ${directoryUrl} is not an ACME directory (HTTP ${status}).`
    const { problem } = await errorOf(issuer.issue(host, never, unsaved))
    t.strictSame(problem, { code: 'ca_unavailable', detail, isMisconfigured: true }, JSON.stringify(answer))
  }
})

t.test('a directory that fails for a while is not misconfigured', async (t) => {
  for (const [answer, code] of [
    [{ status: 408, body: '' }, 'ca_unavailable'],
    [{ status: 429, body: '' }, 'rate_limited'],
    [{ status: 502, body: '<title>Bad gateway</title>' }, 'ca_unavailable'],
    [{ body: '', isCut: true }, 'ca_unavailable'],
  ] as const) {
    const { issuer } = await setUp(t, { authority: at('/directory', answer) })
    const { problem } = await errorOf(issuer.issue(host, never, unsaved))
    t.strictSame([problem.code, 'isMisconfigured' in problem], [code, false])
  }
})

t.test('an authority is queried over TLS alone', async (t) => {
  const url = 'http://127.0.0.1:1/order/1'
  const problem = unavailable(`The authority's address ${url} is not an https URL.`)
  for (const [path, answer] of [
    ['/directory', { body: { newNonce: url, newAccount: url, newOrder: url } }],
    ['/order', { status: 201, headers: { location: url }, body: { status: 'ready', finalize: url } }],
  ] as const) {
    const { issuer } = await setUp(t, { authority: at(path, answer) })
    t.strictSame((await errorOf(issuer.issue(host, never, unsaved))).problem, problem)
  }
})

t.test('a response is read up to 1 MiB, and 1,000 characters of its text are kept', async (t) => {
  const endless = await setUp(t, { authority: at('/directory', { body: 'x'.repeat(2 ** 20 + 1) }) })
  const tooLong = unavailable("The authority's response cannot be read: the response is longer than 1048576 bytes.")
  t.strictSame((await errorOf(endless.issuer.issue(host, never, unsaved))).problem, tooLong)
  const wordy = problem('malformed', `a\u0000\n${'😀'.repeat(100_000)}`)
  const { issuer } = await setUp(t, { authority: at('/order', { status: 400, body: wordy }) })
  const error = await errorOf(issuer.issue(host, never, unsaved))
  t.strictSame(error.problem, { code: 'ca_refused', detail: `a\ufffd ${'😀'.repeat(498)}\ufffd…` })
  t.equal(error.message.length, 1001)
})

const late = unavailable('The authority did not respond in time.')

t.test('an order that takes too long fails', async (t) => {
  const { issuer } = await setUp(t, { issuer: { timeoutMs: 50 }, authority: at('/directory', undefined) })
  t.strictSame((await errorOf(issuer.issue(host, never, unsaved))).problem, late)
})

t.test('an authority that does not respond is unavailable long before an order times out', async (t) => {
  const { issuer, allClosed } = await setUp(t, {
    issuer: { requestTimeoutMs: 50 },
    authority: at('/directory', undefined),
  })
  t.strictSame((await errorOf(issuer.identities(never))).problem, late)
  await allClosed()
})

t.test('an aborted order leaves no challenge', async (t) => {
  for (const path of ['/order', '/challenge', '/finalize']) {
    const controller = new AbortController()
    const challenges = new Map()
    const { issuer } = await setUp(t, {
      issuer: { challenges },
      authority: { ...at(path, undefined), onRequest: (requested) => requested === path && controller.abort() },
    })
    t.strictSame((await errorOf(issuer.issue(host, controller.signal, unsaved))).problem, late, path)
    t.equal(challenges.size, 0)
  }
  const { issuer, requests } = await setUp(t)
  t.strictSame((await errorOf(issuer.issue(host, AbortSignal.abort(), unsaved))).problem, late)
  t.strictSame(requests, [])
})
