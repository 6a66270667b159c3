// store-orders domains webhook test: sends a message to the webhook, signed like any other.
import { randomUUID } from 'node:crypto'
import { sender, testEvent } from 'custom-domains/webhook'
import { loadWebhook } from '../../config/environment.ts'
import type { Output } from './commands.ts'

/** Prints the response, and fails unless it accepts the message. */
export async function testWebhook(env: NodeJS.ProcessEnv, { say, fail }: Output): Promise<void> {
  const send = sender({ ...loadWebhook(env), userAgent: 'store-orders' })
  const message = { id: `msg_${randomUUID()}`, event: testEvent(new Date()) }
  const { outcome, reason } = await send(message, new AbortController().signal)
  const isDelivered = outcome === 'delivered'
  say([`The webhook ${isDelivered ? 'has accepted' : 'has not accepted'} ${message.id}, domain.test: ${reason}.`])
  if (!isDelivered) fail()
}
