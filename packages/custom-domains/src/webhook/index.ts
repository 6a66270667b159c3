// The door to the webhook, for tools: a message to try the receiver.
export { testEvent } from './events.ts'
export { type Receiver, sender } from './send.ts'
