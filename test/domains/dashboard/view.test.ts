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

/** The two names of a pair; the second is to redirect. */
function pair(leader: object = {}, partner: object = {}) {
  const record = { type: 'CNAME', name: 'a', value: 'b', ttl: 60, note: '' }
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
