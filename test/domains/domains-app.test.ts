import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { ask, converse, exchange, parseAnswer } from 'test-kit/raw'
import { get, openPorts, platformHost, routingOf } from '../../packages/custom-domains/test/fixtures/ports.ts'
import { authorization, build } from '../fixtures/app.ts'
import { buildDashboard, dashboardAuthorization, shop } from './dashboard.ts'

const host = 'docs.shop.test'
const key = `Authorization: ${dashboardAuthorization}`

async function published(t: Test, domainsApp: FastifyInstance) {
  const routing = routingOf({ states: { [host]: 'live' } })
  return openPorts(t, () => routing, domainsApp.routing as RequestListener)
}

t.test("the dashboard and the probes are served where the app listens, and not at the domains' ports", async (t) => {
  const { app, domainsApp } = await buildDashboard(t)
  const { dial, dialSecurely } = await published(t, domainsApp)
  const statusOf = (text: string) => parseAnswer(text).status
  const dashboard = ['/dashboard', '/dashboard?a', '/dashboard/', '/dashboard/v1/domains', '/%64ashboard/v1/domains']
  for (const path of [...dashboard, '/livez', '/readyz']) {
    t.equal(statusOf(await exchange(app, get(path, 'Host: x', key))), 200, path)
    for (const target of [path, `http://${platformHost}${path}`])
      t.equal(statusOf(await converse(dial(), get(target, `Host: ${platformHost}`, key))), 404, target)
    for (const target of [path, `https://${host}${path}`])
      t.equal(statusOf(await converse(dialSecurely(host), get(target, `Host: ${host}`, key))), 404, target)
  }
})

for (const isApiAtDomains of [false, true]) {
  t.test(`a live domain serves the documentation ${isApiAtDomains ? 'and the API' : 'but not the API'}`, async (t) => {
    const { app, domainsApp } = await buildDashboard(t, shop, { isApiAtDomains })
    const { dial, dialSecurely } = await published(t, domainsApp)
    const request = (path: string, name: string) => get(path, `Host: ${name}`, `Authorization: ${authorization}`)
    const visit = (path: string) => ask(dialSecurely(host), request(path, host))
    t.match(await visit('/docs'), { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    t.match(await visit('/openapi.json'), { status: 200, body: '"Store Orders"' })
    t.equal((await visit('/docs.md')).body.includes(`https://${host}/v1`), isApiAtDomains, 'whose examples name it')
    const notFound = { status: 404, body: '"not_found"' }
    for (const path of ['/v1/store/orders', '/%761/store/orders']) {
      t.match(await visit(path), isApiAtDomains ? { status: 200, body: '"id":1007' } : notFound)
      t.match(await ask(dial(), request(path, platformHost)), notFound, 'never without TLS')
      t.equal((await app.inject({ url: path, headers: { authorization } })).statusCode, 200)
    }
    t.match(await visit('/v1/store'), notFound)
  })
}

t.test('the limit of a key counts its requests at both ports together', async (t) => {
  const { app, domainsApp } = await buildDashboard(t, shop, {
    isApiAtDomains: true,
    rateLimits: { requests: { max: 2, seconds: 60 } },
  })
  const { dialSecurely } = await published(t, domainsApp)
  const path = '/v1/store/orders'
  const remaining: unknown[] = []
  for (const isDomain of [false, true, false]) {
    const { headers } = isDomain
      ? await ask(dialSecurely(host), get(path, `Host: ${host}`, `Authorization: ${authorization}`))
      : await app.inject({ url: path, headers: { authorization } })
    remaining.push(headers['retry-after'] === undefined ? headers.ratelimit : 'rejected')
  }
  t.match(remaining, [/r=1/, /r=0/, 'rejected'])
})

t.test('closing the app closes that of the domains, too', async (t) => {
  const { app, domainsApp } = await buildDashboard(t)
  t.equal((await domainsApp.inject('/docs')).statusCode, 200)
  await app.close()
  await t.rejects(domainsApp.inject('/docs'), { code: 'FST_ERR_REOPENED_CLOSE_SERVER' })
})

t.test('without custom domains there is no dashboard', async (t) => {
  const app = await build(t)
  for (const url of ['/dashboard', '/dashboard/', '/dashboard/v1/domains'])
    t.equal((await app.inject({ url, headers: { authorization } })).statusCode, 404, url)
})
