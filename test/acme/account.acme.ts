// An account that the authority has deactivated.
import { readdir, readFile } from 'node:fs/promises'
import t from 'tap'
import { withSession } from '../../packages/custom-domains/src/acme/client.ts'
import { secretText, webhookReceiver } from '../../packages/custom-domains/test/fixtures/receiver.ts'
import { type Server, until } from './built.ts'
import { leadsHere, platform } from './published.ts'

const [docs, help] = ['docs.shop.test', 'help.shop.test']

t.test('a deactivated account is replaced, even during an order', async (t) => {
  const { url, secret, messages, violations } = await webhookReceiver(t)
  const env = { DOMAINS_WEBHOOK_URL: url, DOMAINS_WEBHOOK_SECRET: secretText(secret) }
  const { zone, proxy, dataDir, orders, start, visit } = await platform(t, { env })
  zone[docs] = zone[help] = leadsHere
  const server = await start()
  await server.publish(docs)
  const former = await accountOf(server)
  proxy.injections['/finalize-order/'] = { status: 503 }
  await server.api('POST', '/domains', { domain: help })
  await server.api('POST', `/domains/${help}/verify`)
  t.match((await server.reaches(help, 'failed')).problem, { code: 'ca_unavailable' })

  const [file = ''] = await readdir(`${dataDir}/accounts`)
  const key = await readFile(`${dataDir}/accounts/${file}`, 'utf8')
  const keys = { current: async () => key, replace: async () => Promise.reject(new Error('the account is lost')) }
  const { signal } = new AbortController()
  const deactivated = await withSession(docs, { ...proxy, keys }, signal, ({ post }) => {
    return post(former, { status: 'deactivated' })
  })
  t.match(deactivated.body, { status: 'deactivated' })

  delete proxy.injections['/finalize-order/']
  await server.api('DELETE', `/domains/${help}`) // its order remains
  await server.publish(help)
  t.match(await visit(help), { status: 200 })
  t.equal(orders(), 3, "the former account's order is placed again")
  const account = await accountOf(server)
  t.not(account, former)
  const data = { authority: proxy.directoryUrl, account, former }
  const line = server.log().match(/^.*the authority no longer accepts the former account.*$/m)
  t.match(JSON.parse(String(line)), data)
  const message = await until('the webhook has the message', async () =>
    messages.find(({ event }) => event.type === 'account.replaced'),
  )
  t.strictSame([message.event.data, violations], [data, []])
})

async function accountOf(server: Server): Promise<string> {
  const { body } = await server.api<{ accounts: { url: string }[] }>('GET', '/domains')
  return String(body.accounts[0]?.url)
}
