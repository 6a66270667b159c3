import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { interceptPauses } from 'test-kit/pauses'
import { listen } from 'test-kit/ports'
import { DomainError } from '../../../packages/custom-domains/src/domain-error.ts'
import type { DomainView } from '../../../packages/custom-domains/src/texts/types.ts'
import { secretText, webhookReceiver } from '../../../packages/custom-domains/test/fixtures/receiver.ts'
import { domainOf } from '../../../packages/custom-domains/test/fixtures/registry.ts'
import { runCommand } from '../../cli/command.ts'
import { buildDashboard, dashboardKey, shop } from '../dashboard.ts'

const DASHBOARD_KEYS = `operator:${dashboardKey}`

const run = (args: string[], env: Record<string, string> = {}) => runCommand(['domains', ...args], env)

/** A server with a dashboard, and commands for its domains. */
async function withServer(t: Test, known = shop) {
  const dashboard = await buildDashboard(t, known)
  await dashboard.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = dashboard.app.server.address() as AddressInfo
  const env = { PORT: String(port), DASHBOARD_KEYS }
  const domains = (...args: string[]) => run(args, env)
  return {
    ...{ ...dashboard, env, domains },
    prints: async (args: string[], ...lines: string[]) => t.strictSame(await domains(...args), done(...lines)),
    refuses: async (args: string[], message: string) => t.strictSame(await domains(...args), refused(message)),
  }
}

const done = (...lines: string[]) => ({ code: 0, stdout: lines.map((line) => `${line}\n`).join(''), stderr: '' })
const refused = (message: string) => ({ code: 1, stdout: '', stderr: `store-orders: ${message}\n` })

const live = 'Live. The certificate renews automatically.'
const lasts = 'The certificate is valid until 2027-02-18 10:00 UTC (89 days left).'
const waiting =
  'Waiting for DNS. There is no DNS record for bad.shop.test. The next automatic check is at 2026-11-21 10:00:30 UTC.'
const apexNote =
  'An apex domain cannot have a CNAME record. Some DNS providers call ALIAS records ANAME. If your provider supports neither, use a subdomain.'

t.test('the list is printed as JSON, as the API returns it', async (t) => {
  const { domains, call } = await withServer(t)
  const { code, stdout } = await domains('list', '--json')
  t.equal(code, 0)
  t.strictSame(JSON.parse(stdout), (await call('GET', '/domains')).json())
})

t.test('a list of more than one page is printed whole', async (t) => {
  const known = { domains: Array.from({ length: 1001 }, (_, index) => domainOf(`docs.shop${index}.test`)) }
  const { domains } = await withServer(t, known)
  const { stdout } = await domains('list')
  t.equal(stdout.match(/^docs\./gm)?.length, 1001)
})

t.test('the domains are listed with their states', async (t) => {
  const { prints } = await withServer(t)
  await prints(
    ['list'],
    `docs.shop.test  live, primary: ${live} ${lasts}`,
    `old.shop.test  live, redirects to docs.shop.test with 308: ${live} ${lasts}`,
    `bad.shop.test  failed: ${waiting}`,
    'asked.shop.test  added: Create the DNS record, then verify the domain.',
    'shop.test  added: Create the DNS record, then verify the domain.',
    '',
    'The documentation is always served at orders.platform.test.',
  )
})

const record = (name: string, type: string) => `  ${type}  ${name}  sites.platform.test  TTL 3600`

t.test('adding a domain prints its record, and advice about it', async (t) => {
  const { prints, refuses } = await withServer(t)
  const added = (name: string) => [`Added ${name}. Create this DNS record, then verify:`, '']
  await prints(['add', 'New.Shop.test.'], ...added('new.shop.test'), record('new', 'CNAME'))
  await prints(['add', 'b.test'], ...added('b.test'), record('@', 'ALIAS'), '', apexNote)
  await refuses(['add', 'b.test'], 'This domain has already been added.')
})

t.test('adding a pair prints both records, and which domain redirects', async (t) => {
  const { domains, prints } = await withServer(t)
  await prints(
    ['add', 'b.test', '--pair', 'to-www'],
    'Added b.test with www.b.test: b.test will redirect to www.b.test with 301.',
    'Create these DNS records, then verify:',
    ...['', record('www', 'CNAME'), record('@', 'ALIAS'), '', apexNote],
  )
  t.match(await domains('add', 'd.test', '--pair', 'from-www'), {
    code: 0,
    stdout: /^Added d\.test with www\.d\.test: www\.d\.test /,
  })
  t.match(await domains('add', 'docs.b.test', '--pair', 'to-www'), { code: 1, stderr: /cannot be added as a pair/ })
  t.match(await domains('add', 'c.test', '--pair', 'www'), {
    code: 2,
    stderr: /argument 'www' is invalid\. Allowed choices are to-www, from-www, to-primary\./,
  })
})

t.test('several domains are verified in parallel; one that does not go live comes with its steps', async (t) => {
  const { domains, registry, end } = await withServer(t)
  const { find } = registry
  registry.find = (host) => {
    end('shop.test')
    end('bad.shop.test')
    return find(host)
  }
  t.strictSame(await domains('verify', 'bad.shop.test', 'shop.test'), {
    code: 1,
    stdout: [
      'bad.shop.test: Checking the DNS record.',
      `bad.shop.test: ${waiting}`,
      '- At the DNS provider of shop.test, create this record: type CNAME, name bad, value sites.platform.test, TTL 3600.',
      'DNS changes can take up to 48 hours.',
      'shop.test: Checking the DNS record.',
      'shop.test: Create the DNS record, then verify the domain.',
      '',
    ].join('\n'),
    stderr: '',
  })
})

const texts = { message: 'DNS did not answer.', steps: [], notes: [] }
const platformProblem = { code: 'dns_unreachable', about: 'dns', addressee: 'operator', ...texts } as const
const time = '2026-11-21T10:00:00.000Z'
const platformCertificate = { issuer: 'Tests', notBefore: time, notAfter: time, renewsAt: time }
const conditions: [line: string, unsaved: object, platform: object][] = [
  ['Changes cannot be saved at the moment: the disk is full.', { unsaved: 'the disk is full' }, {}],
  [
    'The storage lost its latest changes at 2026-01-01T00:00:00Z. As before: a.shop.test, b.shop.test.',
    { rewound: { at: '2026-01-01T00:00:00Z', domains: ['a.shop.test', 'b.shop.test'] } },
    {},
  ],
  ['orders.platform.test has no certificate yet: DNS did not answer.', {}, { problem: platformProblem }],
  [
    'orders.platform.test has a problem: DNS did not answer.',
    {},
    { problem: platformProblem, certificate: platformCertificate },
  ],
]
t.test('the list begins with what the operator should know', async (t) => {
  const { prints, registry } = await withServer(t)
  const overview = registry.list()
  for (const [line, unsaved, condition] of conditions) {
    registry.list = () => ({ ...overview, ...unsaved, platform: { ...overview.platform, ...condition }, domains: [] })
    await prints(['list'], line, '', 'The documentation is always served at orders.platform.test.')
  }
})

t.test('verify prints each step once, until the domain is live', async (t) => {
  const { prints, registry } = await withServer(t)
  const { find } = registry
  const looks: Partial<DomainView>[] = [
    { state: 'verifying' },
    { state: 'issuing', summary: 'Issuing.' },
    { state: 'issuing', summary: 'Issuing.' },
    { state: 'live', summary: 'Live.' },
  ]
  registry.find = (host) => ({ ...find(host), ...looks.shift() }) as DomainView
  const pauses: unknown[] = []
  interceptPauses(t, async (ms) => pauses.push(ms))
  await prints(['verify', 'shop.test'], 'Checking the DNS record.', 'Issuing.', 'Live.')
  t.strictSame(pauses, Array(4).fill(500))
})

t.test('verify exits with 1 if the domain cannot be verified', async (t) => {
  const { domains, refuses, registry } = await withServer(t)
  await refuses(['verify', 'asked.shop.test'], 'Try again in 20 seconds.')
  registry.find = () => undefined
  const { code, stderr } = await domains('verify', 'shop.test')
  t.strictSame([code, stderr], [1, 'store-orders: This domain has not been added.\n'])
})

t.test('the primary domain and redirects are set', async (t) => {
  const { domains, prints } = await withServer(t)
  const old = (marks: string) => `old.shop.test  live, ${marks}: ${live} ${lasts}`
  await prints(['redirect', 'old.shop.test'], old('redirects to docs.shop.test with 301'))
  await prints(['redirect', 'old.shop.test', '--status', '307'], old('redirects to docs.shop.test with 307'))
  t.match(await domains('redirect', '--off', 'old.shop.test'), { code: 0, stdout: /^old.shop.test {2}live: / })
  await prints(['primary', 'old.shop.test'], old('primary'))
  t.match(await domains('redirect', 'docs.shop.test', '--status', 'found'), {
    code: 2,
    stderr: /argument 'found' is invalid\. Allowed choices are 301, 302, 307, 308\./,
  })
})

const toDelete = 'Delete its DNS record: CNAME  old  sites.platform.test'

t.test('a removal can revoke the certificate, a reissue orders another, and any spelling of names works', async (t) => {
  const revoker = {
    find: async () => ({ keyId: 'key', notAfter: '2027-01-01T00:00:00.000Z', certificate: '' }),
    revoke: async () => {},
  }
  const { domains, prints } = await withServer(t, { ...shop, revoker })
  const ordered = 'A new certificate is being ordered for docs.shop.test.'
  await prints(['reissue', 'Docs.Shop.test.'], `${ordered} "store-orders domains list" shows the outcome.`)
  const removed = 'Removed old.shop.test: it is no longer served. Its certificate has been revoked.'
  const superseded = ['--revoke', 'superseded']
  await prints(['remove', 'OLD.shop.test', ...superseded], `${removed} ${toDelete}`)
  await prints(['remove', 'old.shop.test', ...superseded], removed)
  t.match(await domains('remove', 'docs.shop.test', '--revoke', 'rage'), { code: 1, stderr: /reason must be one of/ })
  await domains('add', 'Bücher.example')
  t.match(await domains('primary', 'Bücher.example'), { code: 0, stdout: /^xn--bcher-kva\.example / })
})

t.test('removing a domain prints the record to delete', async (t) => {
  const { prints, refuses, registry } = await withServer(t)
  await prints(['remove', 'old.shop.test'], `Removed old.shop.test: it is no longer served. ${toDelete}`)
  await refuses(['remove', 'old.shop.test'], 'This domain has not been added.')
  registry.remove = () => Promise.reject(new DomainError('domain_not_found'))
  await refuses(['remove', 'docs.shop.test'], 'This domain has not been added.')
})

t.test('an unreachable server is an error with the reason', async (t) => {
  const advice = 'check that it is running, and that HOST and PORT are the same'
  for (const [HOST, authority] of Object.entries({ '::1': '[::1]:1', '127.0.0.1': '127.0.0.1:1' })) {
    const unreachable = refused(`no server responds at http://${authority}/dashboard/v1: ${advice}`)
    t.strictSame(await run(['list'], { HOST, PORT: '1', DASHBOARD_KEYS }), unreachable)
  }
  t.strictSame(await run(['list']), refused('DASHBOARD_KEYS must contain a key of the server, as name:key'))
})

t.test('a key that the server does not have is rejected', async (t) => {
  const { env } = await withServer(t)
  const wrong = { ...env, DASHBOARD_KEYS: `operator:${'wrong'.repeat(8)}` }
  t.strictSame(await run(['list'], wrong), refused('The API key is not valid.'))
})

t.test('the response of a proxy is an error with its status', async (t) => {
  const proxy = createServer((_request, response) => response.writeHead(502).end('Bad Gateway'))
  const listed = await run(['list'], { PORT: String(await listen(t, proxy)), DASHBOARD_KEYS })
  t.strictSame(listed, refused('the server responded with status 502'))
})

t.test('the webhook is tested: accepted or not, the message is named with the status', async (t) => {
  for (const [reply, code, outcome] of [
    [204, 0, 'has accepted'],
    [500, 1, 'has not accepted'],
  ] as const) {
    const hook = await webhookReceiver(t, () => reply)
    const env = { DOMAINS_WEBHOOK_URL: hook.url, DOMAINS_WEBHOOK_SECRET: secretText(hook.secret) }
    const { stdout, ...rest } = await run(['webhook', 'test'], env)
    t.match(stdout, new RegExp(String.raw`^The webhook ${outcome} msg_[\w-]{36}, domain\.test: status ${reply}\.\n$`))
    t.strictSame(rest, { code, stderr: '' })
    t.strictSame([hook.types(), hook.violations], [['domain.test docs.example.com'], []])
    t.strictSame(hook.agents, ['store-orders'])
  }
})
