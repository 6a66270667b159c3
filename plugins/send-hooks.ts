// Detects onSend and preSerialization hooks. Lists and responses without a body bypass Fastify's sending, so these hooks
// would not run for them; the contract plugin refuses to start if there are any.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether such hooks, if added after this plugin, apply to the routes of this instance. */
    hasSendHooks(): boolean
  }
}

type AddHook = (this: FastifyInstance, name: string, hook: unknown) => FastifyInstance

async function sendHooks(app: FastifyInstance) {
  const hooked = new WeakSet<object>()
  const addHook = app.addHook as unknown as AddHook
  const recording: AddHook = function (name, hook) {
    if (name === 'onSend' || name === 'preSerialization') hooked.add(this)
    return addHook.call(this, name, hook)
  }
  app.addHook = recording as unknown as FastifyInstance['addHook']
  app.decorate('hasSendHooks', function (this: FastifyInstance) {
    // Each instance inherits from its parent.
    for (let one: object | null = this; one !== null; one = Object.getPrototypeOf(one)) if (hooked.has(one)) return true
    return false
  })
}

export default fp(sendHooks, { name: 'send-hooks', dependencies: ['protocol'] })
