import t from 'tap'

/** Not typed here: the types of browsers are those of another configuration. */
const script = (file: string) => import(file)
const { createActions } = await script('../../../domains/dashboard/browser/actions.js')
const { dashboardView } = await script('../../../domains/dashboard/browser/dashboard-view.js')
const { createState, isSettled } = await script('../../../domains/dashboard/browser/state.js')
const { secondsUntil, textView, timeView } = await script('../../../domains/dashboard/browser/time.js')

const now = Date.parse('2026-12-31T10:30:00Z')
const after = (seconds: number) => new Date(now + 1000 * seconds).toISOString()

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
    [{ rewound: { at: after(-60), domains: [...'abcde'] } }, /: a, b, c, d, e\./, true],
    [{ rewound: { at: after(-60), domains: [...'abcdef'] } }, /: a, b, c, d, e and 1 more\./, true],
    [{ plan: 'free' }, /require the Pro plan/, true],
    [{ plan: 'pro' }, /require the Pro plan/, false],
  ]
  for (const [changes, text, isShown] of cases) t.equal(text.test(shown(changes)), isShown, `${text}`)
})

const record = { type: 'CNAME', name: 'a', value: 'b', ttl: 60, note: '' }
const domain = { domain: 'a.shop.test', displayName: 'a.shop.test', state: 'failed', canVerifyAt: after(-60), record }

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
    ['Seen now TXT &lt;b&gt; ', { problem: problemOf({ found: [{ type: 'TXT', value: '<b>' }] }) }],
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

t.test('both names of a pair can be verified once each of them can', async (t) => {
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
