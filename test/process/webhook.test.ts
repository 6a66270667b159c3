import t from 'tap'
import { readRecords } from '../../packages/custom-domains/src/files/records.ts'
import { startDnsServer } from '../../packages/custom-domains/test/fixtures/dns-server.ts'
import { secretText, webhookReceiver } from '../../packages/custom-domains/test/fixtures/receiver.ts'
import { domainsEnv } from '../domains/environment.js'
import { startWithDomains, stop } from '../fixtures/process.ts'
import { samplesIn } from '../telemetry/metrics/scrape.ts'

const host = 'docs.shop.test'

t.test('a signal ends the server even if the receiver does not respond; the log has no secret', async (t) => {
  const hook = await webhookReceiver(t, (before) => (before === 0 ? 500 : 'silence'))
  const { address } = await startDnsServer(t, {
    [domainsEnv.PLATFORM_CNAME_TARGET]: { A: ['127.0.0.1'] },
    [domainsEnv.PLATFORM_DOMAIN]: { A: ['127.0.0.1'] },
  })
  const env = {
    DNS_SERVERS: address,
    DATA_DIR: t.testdir(),
    METRICS_PORT: '0',
    DOMAINS_WEBHOOK_URL: hook.url,
    DOMAINS_WEBHOOK_SECRET: secretText(hook.secret),
  }
  const first = startWithDomains(t, env)
  await first.ports
  await first.add(host) // whose record is missing
  await first.call('POST', `/${host}/verify`)
  await first.printed(/webhook delivery failed/)
  const samples = samplesIn(await first.metrics())
  t.equal(samples.get('store_orders_webhook_deliveries_total{outcome="failed"}'), 1)
  t.equal(samples.get('store_orders_webhook_waiting'), 1)
  await stop(t, first)
  t.match(first.stdout(), /"type":"domain.failing","domain":"docs.shop.test","reason":"status 500"/)

  const second = startWithDomains(t, env)
  await hook.arrived(2)
  await stop(t, second)
  const messages = (await readRecords(`${env.DATA_DIR}/records`)).filter(({ kind }) => kind === 'message')
  t.match(messages, [{ value: { id: hook.messages[0]?.id, attempts: 1 } }])
  for (const text of [first.stdout(), second.stdout(), JSON.stringify(messages)]) {
    t.notMatch(text, 's3cret')
    t.notMatch(text, hook.secret.toString('base64'))
  }
})
