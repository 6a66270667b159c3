import t from 'tap'
import type { Message } from '../../src/state/message.ts'
import { afterFailure, isDue, isLast } from '../../src/webhook/retry.ts'
import { begin } from '../fixtures/clock.ts'

t.test('a message is due after its wait and not before, however long that is', async (t) => {
  for (const random of [0, 0.999]) {
    let message = { id: 'one', attempts: 0, notBefore: begin.toISOString() } as Message
    for (let now = begin; !isLast(message); now = new Date(message.notBefore)) {
      t.ok(isDue(message, now))
      message = afterFailure(message, { id: 'one', retryAfterMs: 0, now, random })
      t.notOk(isDue(message, now))
    }
  }
})
