import { connect } from 'node:net'
import Fastify from 'fastify'
import { createConnectionLimits } from 'http-edge'
import t from 'tap'
import { ask } from 'test-kit/raw'
import type { DomainsConfig } from '../../config/domains.ts'
import { loadConfig } from '../../config/environment.ts'
import { openDomains, registerDomainMetrics } from '../../domains/index.ts'
import { domainsEnv } from './environment.js'

const lines: string[] = []

function open(DATA_DIR: string, env: Record<string, string> = {}) {
  const { domains } = loadConfig({ ...domainsEnv, DATA_DIR, ...env })
  return openDomains(domains as DomainsConfig, undefined, (level, message) => lines.push(`${level}: ${message}`))
}

t.test('a state that is broken is reported, and a configuration that is wrong is an error', async (t) => {
  t.equal(await open(t.testdir({ 'batch.json': '{}' })), undefined)
  t.match(lines, [
    /^error: .*batch\.json cannot be used: it has no array of changes\. The API starts without the domains: repair it and restart$/,
  ])
  const redirects = [{ from: 'docs.shop.test', to: 'old.shop.test' }]
  const wrong = JSON.stringify({ domains: { primary: 'docs.shop.test', redirects } })
  await t.rejects(open(t.testdir({ 'domains.json': wrong })), { message: /which is the primary domain itself$/ })
})

t.test('the redirects and the primary domain are those of the configured file', async (t) => {
  const folder = t.testdir({ data: {}, 'mine.json': '{"domains":{"primary":"docs.shop.test"}}' })
  const opened = await open(`${folder}/data`, { DOMAINS_FILE: `${folder}/mine.json` })
  t.match(opened?.service.list({}), { primary: 'docs.shop.test', domains: [{ isPrimary: true }] })
  await opened?.domains.close()
})

t.test('connections to the ports count, and the owner of an unserved domain is told where to look', async (t) => {
  const opened = await open(t.testdir({ 'domains.json': '{"domains":{"primary":"docs.shop.test"}}' }))
  const [app, limits] = [Fastify(), createConnectionLimits()]
  await app.ready()
  const taken = await opened?.listenAt(app, { host: '127.0.0.1', ports: { http: 0, https: 0 } }, limits)
  const socket = connect(Number(taken?.http), '127.0.0.1')
  const { body } = await ask(socket, 'GET /docs HTTP/1.1\r\nHost: docs.shop.test\r\n\r\n')
  t.equal(body, 'Nothing is served at this domain. Its owner can see why in Project settings, Domains.\n')
  t.equal(limits.connections().open, 1)
  socket.destroy()
  await opened?.domains.close()
  await app.close()
})

t.test('a thousand certificates have a series: those that expire next', async (t) => {
  const read = new Map<string, () => unknown>()
  const note = (name: string, _help: string, values: () => unknown) => void read.set(name, values)
  const notAfter = new Date(Date.now() + 86_400_000).toISOString()
  const certificates = () => Array.from({ length: 1_001 }, (_, index) => ({ domain: `${index}.test`, notAfter }))
  registerDomainMetrics({ counter: note, gauge: note }, { certificates, damaged: () => [] })
  const series = read.get('store_orders_certificate_days_left')?.() as { labels: object }[]
  t.strictSame([series.length, series.at(-1)?.labels], [1_000, { domain: '999.test' }])
})
