import t from 'tap'
import type { components } from '../../../domains/api/dashboard.d.ts'
import { errors } from '../../../domains/api/errors.ts'
import { dashboardHandlers } from '../../../domains/api/index.ts'
import { buildDashboard, dashboardAuthorization, shop } from '../dashboard.ts'

const platform = { domain: 'orders.platform.test', cnameTarget: 'sites.platform.test' }
const added = {
  domain: 'xn--bcher-kva.example',
  displayName: 'bücher.example',
  kind: 'apex',
  isPrimary: true,
  state: 'added',
  summary: 'Create the DNS record, then verify the domain.',
  addedAt: '2026-11-21T10:00:00.000Z',
  canVerifyAt: '1970-01-01T00:00:00.000Z',
  record: {
    type: 'ALIAS',
    name: '@',
    value: 'sites.platform.test',
    ttl: 3600,
    note:
      'An apex domain cannot have a CNAME record. Some DNS providers call ALIAS records ANAME. If your provider supports ' +
      'neither, use a subdomain.',
  },
}

t.test('an added domain is returned with the record to create, and then listed', async (t) => {
  const { call } = await buildDashboard(t, {})
  t.strictSame((await call('POST', '/domains', { domain: ' Bücher.example. ' })).json(), added)
  const overview = { plan: 'pro', platform, primary: added.domain, accounts: [], total: 1, count: 1, domains: [added] }
  t.strictSame((await call('GET', '/domains')).json(), overview)
})

t.test('a limit and a loop are conflicts', async (t) => {
  for (const code of ['too_many_domains', 'redirect_loop'] as const) t.equal(errors[code].status, 409, code)
})

t.test('a page of the domains is listed: searched, and those that need attention first', async (t) => {
  const { call } = await buildDashboard(t)
  const listed = async (query: string) => {
    const { total, count, domains } = (await call('GET', `/domains?${query}`)).json()
    return [total, count, domains.map(({ domain }: { domain: string }) => domain)]
  }
  const [docs, old, bad, asked, apex] = ['docs', 'old', 'bad', 'asked']
    .map((name) => `${name}.shop.test`)
    .concat('shop.test')
  t.strictSame(await listed(''), [5, 5, [docs, old, bad, asked, apex]])
  t.strictSame(await listed('sort=attention'), [5, 5, [bad, asked, apex, docs, old]])
  t.strictSame(await listed('sort=attention&offset=1&limit=2'), [5, 5, [asked, apex]])
  t.strictSame(await listed('search=%20D.SHOP'), [5, 3, [old, bad, asked]])
  t.strictSame(await listed('search=none'), [5, 0, []])
  await call('POST', '/domains', { domain: 'bücher.example' })
  t.strictSame(await listed('search=%C3%BCcher'), [6, 1, ['xn--bcher-kva.example']])
  t.match((await call('GET', '/domains/bad.shop.test')).json(), { domain: bad, problem: { code: 'record_missing' } })
})

t.test('a request that comes too soon gets the time of the next one', async (t) => {
  const { call } = await buildDashboard(t)
  const response = await call('POST', '/domains/asked.shop.test/verify')
  t.equal(response.headers['retry-after'], '20')
  t.strictSame(response.json(), { code: 'rate_limited', message: 'Try again in 20 seconds.', status: 429 })
})

t.test('every rejection has a reason', async (t) => {
  const { call } = await buildDashboard(t)
  const configuration = { roles: new Map(), redirects: new Map() }
  const { call: callWithoutPrimary } = await buildDashboard(t, { ...shop, plan: 'free', configuration })
  const { call: callOnFullDisk } = await buildDashboard(t, { ...shop, isDeployed: false, fault: 'the disk is full' })
  const messages: { [code in components['schemas']['ErrorCode']]?: string } = {
    plan_required: 'Custom domains require the Pro plan or above.',
    not_deployed: 'The documentation is not reachable at the platform domain: deploy the project first.',
    not_saved: 'Nothing was changed, because it cannot be saved: the disk is full.',
    is_primary: 'The primary domain cannot redirect to itself.',
    no_primary: 'There is no primary domain to redirect to.',
  }
  const undone =
    'is no longer served, but its removal is not saved yet, so that a restart would undo it: the disk is full.'
  const refused: [ReturnType<typeof call>, status: number, code: keyof typeof messages, message?: string][] = [
    [callWithoutPrimary('POST', '/domains', { domain: 'a.b.test' }), 403, 'plan_required'],
    [callOnFullDisk('POST', '/domains', { domain: 'a.b.test' }), 409, 'not_deployed'],
    [callOnFullDisk('POST', '/domains/shop.test/verify'), 503, 'not_saved'],
    [callOnFullDisk('DELETE', '/domains/shop.test'), 503, 'not_saved', `shop.test ${undone}`],
    [call('PUT', '/domains/docs.shop.test/redirect', {}), 409, 'is_primary'],
    [callWithoutPrimary('PUT', '/domains/shop.test/redirect', {}), 409, 'no_primary'],
  ]
  for (const [answer, status, code, message = messages[code]] of refused) {
    const response = await answer
    t.equal(response.statusCode, status)
    t.strictSame(response.json(), { code, message, status })
  }
})

t.test('a certificate is revoked for the given reason, whether its domain is kept or removed', async (t) => {
  const reasons: string[] = []
  const find = async () => ({ keyId: 'key', notAfter: '2027-01-01T00:00:00.000Z', certificate: '' })
  const revoke = async (_host: string, _certificate: string, reason: string) => void reasons.push(reason)
  const { call } = await buildDashboard(t, { ...shop, revoker: { find, revoke } })
  await call('POST', '/domains/docs.shop.test/revoke', { reason: 'keyCompromise', keep: true })
  await call('POST', '/domains/old.shop.test/revoke', { reason: 'superseded' })
  t.strictSame(reasons, ['keyCompromise', 'superseded'])
  const kept = ['docs', 'old'].map(async (name) => (await call('GET', `/domains/${name}.shop.test`)).statusCode)
  t.strictSame(await Promise.all(kept), [200, 404])
})

t.test('a key of the dashboard is none of the API', async (t) => {
  const { app } = await buildDashboard(t)
  const response = await app.inject({ url: '/v1/store/orders', headers: { authorization: dashboardAuthorization } })
  t.equal(response.statusCode, 401)
})

t.test('an error that no operation foresees is no response of the document', async (t) => {
  const verify = dashboardHandlers.verifyDomain as (...input: unknown[]) => Promise<unknown>
  const service = { verify: () => Promise.reject(new TypeError('unforeseen')) }
  await t.rejects(verify({ path: { domain: 'docs.shop.test' } }, service), TypeError)
})

t.test('while the storage is unreachable, nobody is told that the documentation is not deployed', async (t) => {
  const add = dashboardHandlers.addDomain as (...input: unknown[]) => Promise<unknown>
  const outage = new Error('unreachable')
  const service = {
    plan: 'pro',
    isDeployed: async () => false,
    find() {
      throw outage
    },
  }
  await t.rejects(add({ body: { domain: 'docs.shop.test' } }, service), outage)
})

t.test('while the storage is unreachable, the domains are not available', async (t) => {
  const { call, registry } = await buildDashboard(t)
  registry.list = () => {
    throw Object.assign(new Error('unreachable'), { name: 'StorageUnavailableError', retryAfterSeconds: 3 })
  }
  const response = await call('GET', '/domains')
  const message = 'The domains are not available at the moment. Try again later.'
  t.strictSame(response.json(), { code: 'unavailable', message, status: 503 })
  t.equal(response.headers['retry-after'], '3')
})

t.test('a response that violates the document is a 500 where responses are checked', async (t) => {
  const { call, registry } = await buildDashboard(t)
  const listed = registry.list({})
  registry.list = () => ({ ...listed, total: 0.5 })
  t.equal((await call('GET', '/domains')).statusCode, 500)
})
