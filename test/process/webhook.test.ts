// The server as a process, with a receiver of webhooks.
import t, { type Test } from 'tap'
import type { RecordKind } from '../../packages/custom-domains/src/state/storage.ts'
import { startDnsServer } from '../../packages/custom-domains/test/fixtures/dns-server.ts'
import { secretText, webhookReceiver } from '../../packages/custom-domains/test/fixtures/receiver.ts'
import { storedRecords } from '../acme/stored-records.ts'
import { startWithDomains, stop } from '../fixtures/process.ts'
import { samplesIn } from '../telemetry/metrics/scrape.ts'

const host = 'docs.shop.test'
const target = 'sites.platform.test'
const platform = 'orders.platform.test'
const dashboardKey = 'dashboard-key-of-at-least-32-characters'

/** A server whose platform domain has an address, and whose authority is unreachable. */
async function surroundings(t: Test, hook: Awaited<ReturnType<typeof webhookReceiver>>) {
  const { address } = await startDnsServer(t, {
    [target]: { A: ['127.0.0.1'] },
    [platform]: { A: ['127.0.0.1'] },
  })
  const DATA_DIR = t.testdir()
  const env = {
    API_KEYS: 'tests:test-key',
    DASHBOARD_KEYS: `operator:${dashboardKey}`,
    DNS_SERVERS: address,
    DATA_DIR,
    METRICS_PORT: '0',
    DOMAINS_WEBHOOK_URL: hook.url,
    DOMAINS_WEBHOOK_SECRET: secretText(hook.secret),
  }
  return {
    start: () => startWithDomains(t, env),
    stored: (kind: RecordKind) => storedRecords(DATA_DIR, kind),
  }
}

/** Adds the domain, whose record is missing. */
async function addDomain(server: ReturnType<typeof startWithDomains>) {
  await server.ports
  const domains = `${await server.origin}/dashboard/v1/domains`
  const authorization = `Bearer ${dashboardKey}`
  const headers = { authorization, 'content-type': 'application/json' }
  await fetch(domains, { method: 'POST', headers, body: JSON.stringify({ domain: host }) })
  await fetch(`${domains}/${host}/verify`, { method: 'POST', headers: { authorization } })
}

t.test('a server killed before the receiver responds sends the message again, with the same id', async (t) => {
  const hook = await webhookReceiver(t, (before) => (before === 0 ? 'silence' : 204))
  const { start, stored } = await surroundings(t, hook)
  const first = start()
  await addDomain(first)
  await hook.arrived(1)
  t.match(await stored('domain'), { [host]: { lastNotified: 'failing record_missing' } })
  t.strictSame(Object.keys(await stored('message')), [hook.messages[0]?.id])
  first.child.kill('SIGKILL')
  await first.ended
  const second = start()
  await hook.arrived(2)
  await second.printed(/webhook delivered/)
  t.strictSame(hook.messages[1], hook.messages[0])
  t.match(hook.messages[0]?.event, { type: 'domain.failing', data: { domain: host } })
  t.strictSame([hook.messages.length, hook.violations], [2, []])
  await stop(t, second)
  t.strictSame(await stored('message'), {})
})

t.test('a signal ends the server even if the receiver does not respond; the log has no secret', async (t) => {
  const hook = await webhookReceiver(t, (before) => (before === 0 ? 500 : 'silence'))
  const { start, stored } = await surroundings(t, hook)
  const first = start()
  await addDomain(first)
  await first.printed(/webhook delivery failed/)
  const [, metrics = ''] = await first.printed(/metrics at ([^"\s]+)/)
  const samples = samplesIn(await (await fetch(metrics)).text())
  t.equal(samples.get('store_orders_webhook_deliveries_total{outcome="failed"}'), 1)
  t.equal(samples.get('store_orders_webhook_waiting'), 1)
  await stop(t, first)
  t.match(first.stdout(), /"type":"domain.failing","domain":"docs.shop.test","reason":"status 500"/)

  const second = start()
  await hook.arrived(2)
  await stop(t, second)
  const messages = await stored('message')
  t.match(Object.values(messages), [{ id: hook.messages[0]?.id, attempts: 1 }])
  for (const text of [first.stdout(), second.stdout(), JSON.stringify(messages)]) {
    t.notMatch(text, 's3cret')
    t.notMatch(text, hook.secret.toString('base64'))
  }
})
