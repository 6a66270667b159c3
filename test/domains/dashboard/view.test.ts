import t from 'tap'
import { script } from './page.ts'

const { createApi } = await script('../../../domains/dashboard/browser/api.js')
const { createActions } = await script('../../../domains/dashboard/browser/actions.js')
const { dashboardView } = await script('../../../domains/dashboard/browser/dashboard-view.js')
const { changesBetween, createState, isSettled, shownDomains } = await script(
  '../../../domains/dashboard/browser/state.js',
)
const { secondsUntil, textView, timeView } = await script('../../../domains/dashboard/browser/time.js')

const now = Date.parse('2026-12-31T10:30:00Z')
const after = (seconds: number) => new Date(now + 1000 * seconds).toISOString()

const record = { type: 'CNAME', name: 'a', value: 'b', ttl: 60, note: '' }
const domain = { domain: 'a.shop.test', displayName: 'a.shop.test', state: 'failed', canVerifyAt: after(-60), record }
const live = { ...domain, state: 'live', liveSince: after(-3601), summary: '' }

function shown(changes: object): string {
  const platform = { domain: 'platform.test' }
  const list = { plan: 'pro', platform, accounts: [], domains: [], total: 1, count: 0, ...changes }
  return dashboardView(createState(list, now)).html
}

t.test('the page shows what the numbers of domains call for', async (t) => {
  const cases: [changes: object, text: RegExp, isShown: boolean][] = [
    [{ count: 0 }, /id="show-more"/, false],
    [{ count: 1 }, /id="show-more"/, true],
    [{ total: 0 }, /No custom domains yet/, true],
    [{ total: 1 }, /No custom domains yet/, false],
    [{ total: 5 }, /id="filter"/, false],
    [{ total: 6 }, /id="filter"/, true],
    [{ domains: Array(999).fill(live), count: 1001 }, /id="show-more"/, true],
    [{ domains: Array(1000).fill(live), count: 1001 }, /id="show-more"/, false],
    [{ rewound: { at: after(-60), domains: [...'abcde'] } }, /: a, b, c, d, e\./, true],
    [{ rewound: { at: after(-60), domains: [...'abcdef'] } }, /: a, b, c, d, e and 1 more\./, true],
    [{ plan: 'free' }, /require the Pro plan/, true],
    [{ plan: 'pro' }, /require the Pro plan/, false],
    [{ plan: 'free' }, /id="add-domain"[^>]*aria-disabled="true" aria-describedby="plan"/, true],
    [{ plan: 'pro' }, /id="add-domain"[^>]*aria-/, false],
  ]
  for (const [changes, text, isShown] of cases) t.equal(text.test(shown(changes)), isShown, `${text}`)
})

/** What the page shows of a domain: its texts, one after another. */
function textOf(changes: object, list = {}): string {
  const html = shown({ domains: [{ ...domain, summary: '', ...changes }], ...list })
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' .', '.')
}

const problemOf = (changes: object) => ({
  ...{ about: 'dns', addressee: 'user', message: 'It is not there.', steps: [], notes: [], ...changes },
})

t.test('a domain has failed only if its user must act; otherwise the page says calmly what it waits for', async (t) => {
  for (const [changes, badge, tone, status] of [
    [{}, 'Failed', 'bad', 'failed'],
    [{ isPending: true }, 'Waiting for DNS', 'busy', 'now'],
    [{ addressee: 'operator' }, 'Waiting for the operator', 'warn', 'now'],
    [{ addressee: 'authority' }, 'Waiting for a certificate', 'warn', 'now'],
  ] as const) {
    const html = shown({ domains: [{ ...domain, summary: '', problem: problemOf(changes) }] })
    t.match(html, new RegExp(`class="badge" data-tone="[^"]+">${badge}<`))
    t.match(html, `class="problem" data-tone="${tone}"`)
    t.match(html, `data-status="${status}" aria-current="step"`)
  }
})

t.test('a domain is shown with what is known of it', async (t) => {
  const accounts = [{ authority: 'https://ca.test/directory', url: 'https://ca.test/account/1' }]
  const dates = { notAfter: '2099-01-01T10:00:00Z', renewsAt: '2098-12-02T10:00:00Z' }
  const certificate = { issuer: 'Tests', authority: 'https://ca.test:14000/dir', ...dates }
  const next = 'The next automatic check is at 2026-12-31'
  const cases: [text: string | RegExp, changes: object, list?: object][] = [
    ['TTL 60 Copy TTL of a.shop.test Re-verify', { problem: problemOf({}) }],
    ['Seen now A 198.51.100.1 ', { problem: problemOf({ found: [{ type: 'A', value: '198.51.100.1' }] }) }],
    ['Seen now No record ', { problem: problemOf({ found: [] }) }],
    [
      'Issued by Tests Ordered from ca.test:14000 Valid until January 1, 2099 Renews about December 2, 2098 ',
      { certificate },
    ],
    [
      /account that orders the certificates: https:\/\/ca\.test\/account\/1 $/,
      { problem: problemOf({ about: 'caa' }) },
      { accounts },
    ],
    [/Re-verify a\.shop\.test $/, { problem: problemOf({}) }, { accounts }],
    ['Waiting. The next automatic check is in 100 seconds.', { summary: `Waiting. ${next} 10:31:40 UTC.` }],
    [
      'Not live. First noticed 364 days ago. The next automatic check is due now. Hide',
      {
        summary: `Not live. First noticed at 2026-01-01 10:30 UTC. ${next} 10:30:00 UTC.`,
        problem: problemOf({ notes: [`${next} 10:30:00 UTC.`] }),
      },
    ],
  ]
  for (const [text, changes, list] of cases) t.match(textOf(changes, list), text)
})

t.test('the menu, the badges, the progress and the notices of a domain fit its state', async (t) => {
  const [problem, redirect] = [problemOf({}), { to: 'b.test', status: 301 }]
  const certificate = { issuer: 'Tests', notAfter: after(60), renewsAt: after(60) }
  const cases: [text: string | RegExp, changes: object, list?: object][] = [
    ['Not verified ⋯ Make primary Remove… ', { state: 'added' }],
    ['Failed ⋯ Make primary Re-verify Remove… ', { problem }],
    ['Live Primary ⋯ Re-verify Order a new certificate Remove… ', { ...live, certificate, isPrimary: true }],
    ['Live, with a problem ⋯ Make primary Re-verify Remove… ', { state: 'live', problem }],
    ['⋯ Make primary Redirect to primary… Re-verify ', { problem }, { primary: 'b.test' }],
    ['⋯ Make primary Change redirect… Re-verify ', { problem, redirect }, { primary: 'b.test' }],
    ['Remove… Redirects to b.test (301) Show', { ...live, redirect: { ...redirect, isActive: true } }],
    ['Remove… Will redirect to b.test (301) once both domains are live Hide', { redirect }],
    [/ Verify a\.shop\.test $/, { state: 'added' }],
    ['DNS record (failed) Certificate (to come) Live (to come) ', { problem }],
    ['DNS record (done) Certificate (failed) Live (to come) ', { problem: problemOf({ about: 'caa' }) }],
    ['DNS record (in progress) Certificate (to come) Live (to come) ', { state: 'verifying' }],
    ['DNS record (done) Certificate (in progress) Live (to come) ', { state: 'verified' }],
    ['DNS record (done) Certificate (in progress) Live (to come) ', { state: 'issuing' }],
    ['DNS record (done) Certificate (done) Live (done) ', { ...live, liveSince: after(-3600) }],
    [/^((?!It is not there).)*$/, { state: 'verifying', problem }],
    [
      '(to come) What to do Do it. Know it. ',
      { summary: 'It is not there.', problem: { ...problem, steps: ['Do it.'], notes: ['Know it.'] } },
    ],
    ['(to come) Good to know Know it. ', { summary: 'It is not there.', problem: { ...problem, notes: ['Know it.'] } }],
    ['(to come) DNS record Type ', { summary: 'It is not there.', problem }],
    ['A hint. DNS record Type', { hint: 'A hint.' }],
    ['Copy TTL of a.shop.test A note. ', { record: { ...record, note: 'A note.' } }],
    ['Show details for a.shop.test ', { problem }, { total: 6 }],
    ['Filter domains 6 domains a. shop', {}, { total: 6, count: 6 }],
    ['2 of 6 domains a. shop', {}, { total: 6, count: 2 }],
    ['Changes cannot be saved at the moment: the disk is full. ', {}, { unsaved: 'the disk is full' }],
    ['p.test has no certificate yet: No. ', {}, { platform: { domain: 'p.test', problem: { message: 'No.' } } }],
    ['p.test has a problem: No. ', {}, { platform: { domain: 'p.test', certificate, problem: { message: 'No.' } } }],
    ['Create both DNS records, then choose Verify both. ', {}, { domains: pair() }],
    ['Its DNS record is shown with www.shop.test. ', {}, { domains: pair() }],
    [/DNS record of www\.shop\.test .* DNS record of shop\.test .* Verify both /, {}, { domains: pair() }],
    [' Verify www.shop.test ', {}, { domains: pair({ summary: '' }, { state: 'live', summary: '' }) }],
  ]
  for (const [text, changes, list] of cases) t.match(textOf(changes, list), text)
  for (const [seconds, barred] of [
    [0, 0],
    [1, 3],
  ] as const) {
    const html = shown({ domains: [{ ...domain, summary: '', problem, certificate, canVerifyAt: after(seconds) }] })
    t.equal(html.split('aria-disabled="true"').length - 1, barred)
  }
})

/** The two names of a pair; the second is to redirect. */
function pair(leader: object = {}, partner: object = {}) {
  const domain = (host: string, other: string) => ({ domain: host, displayName: host, counterpart: other, record })
  const added = { state: 'added', canVerifyAt: after(-60) }
  const [www, apex] = [domain('www.shop.test', 'shop.test'), domain('shop.test', 'www.shop.test')]
  return [
    { ...www, ...added, ...leader },
    { ...apex, ...added, redirect: { to: www.domain, status: 301 }, ...partner },
  ]
}

t.test('whatever a text of the API has in it, the page shows it as text', async (t) => {
  const hostile = `"'><img src=x onerror=alert(1)>&lt;`
  const escaped = '&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;lt;'
  const problem = problemOf({
    ...{ about: 'caa', found: [{ type: 'A', value: hostile }] },
    ...{ message: hostile, steps: [hostile], notes: [hostile] },
  })
  const certificate = { issuer: hostile, notAfter: after(60), renewsAt: after(60) }
  const hostileDomain = {
    ...{ ...live, domain: hostile, displayName: hostile, summary: hostile, hint: hostile, certificate, problem },
    redirect: { to: hostile, status: 301, isActive: true },
    record: { type: 'CNAME', name: hostile, value: hostile, ttl: 60, note: hostile },
  }
  const html = shown({
    ...{ domains: [hostileDomain], unsaved: hostile, platform: { domain: hostile, cnameTarget: hostile, problem } },
    accounts: [{ authority: 'https://ca.test/directory', url: hostile }],
  })
  t.ok(html.split(escaped).length > 23, 'each is shown')
  t.notMatch(html.replaceAll(escaped, ''), 'onerror')
  t.notOk(html.includes(`=${escaped}`), 'attributes have quotes')
})

t.test('the buttons have the names of the actions', async (t) => {
  const certificate = { issuer: 'Tests', notAfter: after(60), renewsAt: after(60) }
  const html = shown({ primary: 'b.test', count: 9, domains: [{ ...live, certificate }, ...pair()] })
  const names = Array.from(html.matchAll(/data-action="([^"]*)"/g), ([, name]) => String(name))
  t.strictSame(new Set(names), new Set(Object.keys(createActions({}))))
})

t.test('both names of a pair can be verified once each of them can', async (t) => {
  for (const domains of [pair({ state: 'verifying', summary: '' }), pair({}, { state: 'verifying', summary: '' })])
    t.match(shown({ domains }), 'data-action="verify-both" aria-disabled="true"')
  for (const [leader, partner] of [
    [60, 120],
    [120, 60],
  ] as const) {
    const domains = pair({ canVerifyAt: after(leader) }, { canVerifyAt: after(partner) })
    t.match(shown({ domains }), /Available <time [^>]*>in 2 minutes</)
  }
})

t.test('both names of a pair are verified one after the other, and the list is loaded after each', async (t) => {
  const done: string[] = []
  const step = (name: string) => async () => {
    done.push(name)
    await new Promise(setImmediate)
    done.push(`${name} has ended`)
  }
  const api = { verifyDomain: (host: string) => step(host)() }
  const state = createState({ domains: pair(), total: 2 }, now)
  await createActions({ api, state, render() {}, refresh: step('a reload') })['verify-both']('www.shop.test')
  const steps = ['www.shop.test', 'a reload', 'shop.test', 'a reload']
  t.strictSame(
    done,
    steps.flatMap((name) => [name, `${name} has ended`]),
  )
})

t.test('a domain is settled after an hour without a problem', async (t) => {
  const live = (seconds: number) => ({ state: 'live', liveSince: after(-seconds) })
  t.strictSame([isSettled(live(3600), now), isSettled(live(3601), now)], [false, true])
})

t.test('times are relative to now', async (t) => {
  const relative = (seconds: number) => /">([^<]*)</.exec(timeView(after(seconds), now).html)?.[1]
  t.strictSame([119, 120, 7199, 7200, -172_800].map(relative), [
    'in 119 seconds',
    'in 2 minutes',
    'in 120 minutes',
    'in 2 hours',
    '2 days ago',
  ])
  t.strictSame([secondsUntil(after(1.5), now), secondsUntil(after(-1), now)], [2, 0])
  const due = (time: string) =>
    textView(`It is at ${time} UTC.`, now)
      .map((part: string | { html: string }) => (typeof part === 'string' ? part : part.html))
      .join('')
  t.equal(due('2026-12-31 10:30'), 'It is due now.')
  t.match(due('2026-12-31 10:31'), /^It is <time .*>in 60 seconds<\/time>\.$/)
})

t.test('each operation is one request, with the key and past every cache', async (t) => {
  const sent: string[] = []
  const fetch = async (url: string, { method, headers, body, cache }: Record<string, unknown>) => {
    sent.push(`${method} ${url} ${body ?? ''}`.trim())
    t.match([headers, cache], [{ authorization: 'Bearer key', ...(body ? json : {}) }, 'no-store'])
    return new Response(null, { status: 204, headers: { date: new Date(Date.now() + 3_600_000).toUTCString() } })
  }
  const json = { 'content-type': 'application/json' }
  t.intercept(globalThis, 'fetch', { value: fetch as never })
  const api = createApi('/v1', 'key')
  for (const [operation, request, ...args] of [
    ['listDomains', 'GET /v1/domains?sort=attention&limit=100'],
    ['listDomains', 'GET /v1/domains?sort=attention&limit=200&search=a+b', { search: 'a b', limit: 200 }],
    ['addDomain', 'POST /v1/domains {"domain":"a"}', 'a', ''],
    ['addDomain', 'POST /v1/domains {"domain":"a","pair":"b"}', 'a', 'b'],
    ['getPairChoices', 'GET /v1/pairs/a%2Fb', 'a/b'],
    ['removeDomain', 'DELETE /v1/domains/a%2Fb', 'a/b'],
    ['revokeDomain', 'POST /v1/domains/a/revoke {"reason":"r","keep":true}', 'a', 'r', true],
    ['reissueCertificate', 'POST /v1/domains/a/reissue', 'a'],
    ['verifyDomain', 'POST /v1/domains/a/verify', 'a'],
    ['setRedirect', 'PUT /v1/domains/a/redirect {"status":301}', 'a', 301],
    ['removeRedirect', 'DELETE /v1/domains/a/redirect', 'a'],
    ['setPrimaryDomain', 'PUT /v1/primary {"domain":"a"}', 'a'],
  ] as const) {
    await api[operation](...args)
    t.strictSame(sent.splice(0), [request])
  }
  t.ok(Math.abs(api.now() - Date.now() - 3_600_000) < 60_000, 'the clock is that of the server')
})

t.test('an error response says what to do, whatever its body', async (t) => {
  for (const [status, body, message] of [
    [401, '{"message":"Send a key."}', 'This key is not valid.'],
    [404, '{"code":"domain_not_found","message":"None."}', 'This domain was removed in the meantime.'],
    [404, '{"code":"not_found","message":"None."}', 'None.'],
    [502, '<h1>Bad gateway</h1>', 'The server responded with status 502.'],
  ] as const) {
    t.intercept(globalThis, 'fetch', { value: (async () => new Response(body, { status })) as never })
    await t.rejects(createApi('', 'key').verifyDomain('a'), { status, message }, message)
  }
  t.intercept(globalThis, 'fetch', { value: (async () => Promise.reject(new Error('refused'))) as never })
  await t.rejects(createApi('', 'key').listDomains(), { status: 0, message: 'The server cannot be reached.' })
  await t.rejects(createApi('', 'key').listDomains({ signal: AbortSignal.abort() }), { message: 'refused' })
})

t.test('domains that need attention come first, keep their places, and changes are told', async (t) => {
  const of = (domain: string, changes: object) => ({ domain, displayName: domain, summary: `${domain}!`, ...changes })
  const list = {
    domains: [
      of('live', { state: 'live' }),
      of('issuing', { state: 'issuing' }),
      of('waits', { state: 'failed', problem: problemOf({ isPending: true, code: 'a' }) }),
      of('failed', { state: 'failed', problem: problemOf({ code: 'a' }) }),
    ],
  }
  const state = createState(list, now)
  const shownNames = () => shownDomains(state).map(({ domain }: { domain: string }) => domain)
  const order = ['failed', 'waits', 'issuing', 'live']
  t.strictSame(shownNames(), order)
  const [live, issuing, waits, failed] = list.domains
  const other = { ...waits, problem: problemOf({ isPending: true, code: 'b' }) }
  const later = { domains: [{ ...issuing, state: 'live' }, live, other, { ...failed, state: 'live' }, of('new', {})] }
  t.equal(changesBetween(list, later), 'issuing: issuing! waits: waits! failed: failed!')
  state.list = { ...later, domains: later.domains.slice(0, 4) }
  t.strictSame(shownNames(), order)
})
