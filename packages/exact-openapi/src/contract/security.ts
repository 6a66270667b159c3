// The hooks that enforce an operation's security: one guard for each scheme.
import type { onRequestHookHandler } from 'fastify'
import type { Operation } from '../model/index.ts'
import { type Rule, tolerated } from './tolerate.ts'

/** @param scopes those that the operation asks for @returns what enforces the scheme for it */
type Guard = (operation: Pick<Operation, 'isSafe'>, scopes: readonly string[]) => onRequestHookHandler[]
export type Guards = Readonly<Record<string, Guard>>

type Hooks = readonly onRequestHookHandler[]

/** @throws when the document does not say who may call, or names a scheme without a guard */
export function guardsOf(operation: Operation, guards: Guards, tolerate: readonly Rule[]): onRequestHookHandler[] {
  const { security, scopes } = operation
  if (!security) tolerated(tolerate, 'no-security', 'no security is given: say "security: []" if it is open to all')
  const alternatives = scopes.map((schemes) =>
    Object.entries(schemes).flatMap(([scheme, wanted]) => {
      const guard = Object.hasOwn(guards, scheme) && guards[scheme]
      if (!guard) throw new Error(`the security scheme "${scheme}" is not implemented: give it a guard`)
      return guard(operation, wanted)
    }),
  )
  const [only = [], ...others] = alternatives
  if (others.length === 0) return only
  // The empty alternative accepts everything: last, so that a credential counts.
  return [firstOf(alternatives.toSorted((one, other) => Number(one.length === 0) - Number(other.length === 0)))]
}

/** The first alternative that accepts a request wins; if none does, the last one responds. */
function firstOf(alternatives: readonly Hooks[]): onRequestHookHandler {
  return async function (request, reply) {
    const rejectionBy = async (hooks: Hooks): Promise<Error | undefined> => {
      for (const hook of hooks) {
        const rejection = await new Promise<Error | undefined>((resolve) => hook.call(this, request, reply, resolve))
        if (rejection) return rejection
      }
      return undefined
    }
    const before = new Set(Object.keys(reply.getHeaders()))
    let rejection: Error | undefined
    for (const hooks of alternatives) {
      // What a rejected alternative says of itself is not part of the response.
      for (const name of Object.keys(reply.getHeaders())) if (!before.has(name)) reply.removeHeader(name)
      rejection = await rejectionBy(hooks)
      if (!rejection) return
    }
    throw rejection
  }
}
