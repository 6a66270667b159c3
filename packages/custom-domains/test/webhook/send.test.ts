import { randomBytes } from 'node:crypto'
import dns from 'node:dns'
import { createServer } from 'node:net'
import t from 'tap'
import { messageOf } from 'test-kit/message'
import { listen } from 'test-kit/ports'
import { ProxyAgent } from '../../src/proxy-agent.ts'
import type { WebhookEvent } from '../../src/state/message.ts'
import { type Answer, sender } from '../../src/webhook/send.ts'
import { keepCollecting } from '../fixtures/collect.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'
import { type Reply, webhookReceiver } from '../fixtures/receiver.ts'

const event: WebhookEvent = {
  type: 'domain.live',
  timestamp: '2026-11-21T10:00:00.000Z',
  data: { domain: 'dócs.shop.test', state: 'live' },
}
const message = { id: 'msg_1', event }

t.test('a message arrives with its id, and a signature that the receiver can verify', async (t) => {
  const hook = await webhookReceiver(t)
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  const ends = t.capture(ProxyAgent.prototype, 'destroy')
  t.strictSame(await sender(hook.receiver)(message, neverAborted), { outcome: 'delivered', reason: 'status 204' })
  t.match([limits(), ends()], [[{ args: [15_000] }], { length: 1 }])
  t.strictSame(hook.messages, [{ id: 'msg_1', path: '/hooks/s3cret', event }])
  t.strictSame([hook.violations, hook.agents], [[], ['custom-domains']])
})

t.test('each secret signs, so that either side can rotate it first', async (t) => {
  const hook = await webhookReceiver(t)
  const other = randomBytes(24)
  const send = (...secrets: Buffer[]) => sender({ url: hook.url, secrets })(message, neverAborted)
  await send(other, hook.secret)
  await send(hook.secret, other)
  t.strictSame(hook.violations, [])
  await send(other)
  t.strictSame(hook.violations, ['No matching signature found'])
})

const failed = (reason: string, retryAfterMs = 0): Answer => ({ outcome: 'failed', reason, retryAfterMs })
const later = (status: number, seconds: string) => ({ status, headers: { 'retry-after': seconds } })
const replies: [what: string, reply: Reply, response: Answer][] = [
  ['200 with a body', { status: 200, body: 'x'.repeat(1e6) }, { outcome: 'delivered', reason: 'status 200' }],
  ['410', 410, { outcome: 'gone', reason: 'status 410' }],
  ['500', 500, failed('status 500')],
  ['a redirect', { status: 308, headers: { location: '/elsewhere' } }, failed('status 308')],
  ['503 with Retry-After', later(503, '120'), failed('status 503', 120_000)],
  ['429 for a year', later(429, '31536000'), failed('status 429', 86_400_000)],
]
for (const [what, reply, response] of replies) {
  t.test(`${what}: ${response.outcome}`, async (t) => {
    const hook = await webhookReceiver(t, () => reply)
    t.strictSame(await sender(hook.receiver)(message, neverAborted), response)
    t.strictSame([hook.messages.length, hook.violations], [1, []])
    await hook.allClosed()
  })
}

t.test('a receiver that does not respond is a failure, whenever garbage is collected', async (t) => {
  const hook = await webhookReceiver(t, () => 'silence')
  keepCollecting(t)
  t.strictSame(await sender(hook.receiver, 100)(message, neverAborted), failed('no response in time'))
})

t.test('an unreachable receiver is a failure whose reason contains neither its path nor a secret', async (t) => {
  const hook = await webhookReceiver(t)
  const closing = createServer((socket) => socket.destroy())
  const port = await listen(t, closing)
  const reasonAt = async (url: string) => (await sender({ ...hook.receiver, url })(message, neverAborted)).reason
  t.equal(await reasonAt('http://127.0.0.1:1/hooks/s3cret'), 'connect ECONNREFUSED 127.0.0.1:1')
  t.match(await reasonAt(`http://127.0.0.1:${port}/hooks/s3cret`), /^(socket hang up|read ECONNRESET)$/)
  t.match(await reasonAt(`https://127.0.0.1:${new URL(hook.url).port}/hooks/s3cret`), /^(?!.*s3cret).*SSL routines:.*$/)
  type Found = (error: null, addresses: dns.LookupAddress[]) => void
  const two = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  t.intercept(dns, 'lookup', { value: (_host: string, _options: object, found: Found) => found(null, two) })
  t.equal(await reasonAt('http://hook.test:1/hooks/s3cret'), 'ECONNREFUSED')
})

t.test('a signal ends the wait', async (t) => {
  const hook = await webhookReceiver(t, () => 'silence')
  const ends = t.capture(ProxyAgent.prototype, 'destroy')
  const controller = new AbortController()
  const sending = sender(hook.receiver)(message, controller.signal)
  await hook.arrived(1)
  controller.abort(new Error('the end'))
  t.equal(await messageOf(() => sending), 'the end')
  t.equal(ends().length, 1, 'it keeps no connection')
})
