// Rejects onSend hooks that apply to operations: what `hijackWithHead` writes, such as lists, would be sent without them.
import type { FastifyInstance } from 'fastify'
import type { OperationOf } from '../operation.ts'

/** The hooks that are added after this call count. The app then does not start, and the error names the hook. */
export function rejectOnSendHooks(app: FastifyInstance, operationOf: OperationOf): void {
  const addHook: (this: FastifyInstance, name: never, hook: never) => FastifyInstance = app.addHook
  const hooks: [name: string, instance: FastifyInstance][] = []
  const instances = new Set<FastifyInstance>()

  // Instances within this one inherit the method.
  function addAndRecord(this: FastifyInstance, name: string, hook: { name: string }) {
    if (name === 'onSend') hooks.push([hook.name, this])
    return addHook.call(this, name as never, hook as never)
  }
  app.addHook = addAndRecord as never
  app.addHook('onRoute', function (this: FastifyInstance, { config }) {
    if (config && operationOf(config)) instances.add(this)
  })
  app.addHook('onReady', async () => {
    for (const [name, instance] of hooks) {
      if (
        ![...instances].some(
          (guarded) => guarded === instance || Object.prototype.isPrototypeOf.call(instance, guarded),
        )
      )
        continue
      throw new Error(`the onSend hook ${name || 'without a name'} would not run for every operation: use onRequest`)
    }
  })
}
