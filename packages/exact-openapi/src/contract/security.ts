// The hooks that enforce an operation's security: one guard for each scheme.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Model, Operation, SecurityScheme } from '../model/index.ts'
import { authenticationOf, credentialReader } from './credentials.ts'
import { asError, type ErrorOf } from './errors.ts'
import type { Tolerate } from './tolerate.ts'

/** What an operation asks of a security scheme. */
export interface SchemeUse {
  name: string
  scheme: SecurityScheme
  scopes: readonly string[]
  operation: Operation
}

/** @returns who sends the request, for the handler's `auth` @throws the error that rejects it */
type CredentialCheck = (credential: string, request: FastifyRequest, reply: FastifyReply) => unknown
type Hooks = readonly onRequestHookHandler[]

/** Called once for each use. @returns what checks a credential, or hooks that do so themselves */
type Guard = (use: SchemeUse) => CredentialCheck | Hooks
export type Guards = Readonly<Record<string, Guard>>

/** @throws when the document does not say who may call, or names a scheme without a guard */
export function guardsOf(
  operation: Operation,
  { securitySchemes }: Model,
  { guards, tolerate, errorOf }: { guards: Guards; tolerate: Tolerate; errorOf: ErrorOf },
): onRequestHookHandler[] {
  const { security, scopes: asked } = operation
  const problem = 'no security is given: say "security: []" if it is open to all'
  tolerate('no-security', security ? [] : [problem])
  const alternatives = asked.map((schemes) =>
    Object.entries(schemes).flatMap(([name, scopes]) => {
      const scheme = securitySchemes.get(name)
      if (!scheme) throw new Error(`the security scheme "${name}" is not in components securitySchemes`)
      const guard = Object.hasOwn(guards, name) && guards[name]
      if (!guard) throw new Error(`the security scheme "${name}" is not implemented: give it a guard`)
      const use = { name, scheme, scopes, operation }
      const check = guard(use)
      return typeof check === 'function' ? [credentialHook(use, check, errorOf)] : check
    }),
  )
  const [only = [], ...others] = alternatives
  if (others.length === 0) return only
  // The empty alternative accepts everything: last, so that a credential counts.
  return [firstOf(alternatives.toSorted((one, other) => Number(one.length === 0) - Number(other.length === 0)))]
}

function credentialHook({ name, scheme }: SchemeUse, check: CredentialCheck, errorOf: ErrorOf): onRequestHookHandler {
  const read = credentialReader(scheme)
  const message = `Send a credential of the security scheme "${name}".`
  return (request, reply, done) => {
    const accept = (identity: unknown) => {
      request.input = { auth: { ...request.input?.auth, [name]: identity } }
    }
    const credential = read(request)
    if (credential === undefined) {
      if (scheme.type !== 'apiKey') reply.header('www-authenticate', `${authenticationOf(scheme)} realm="${name}"`)
      return done(errorOf({ code: 'unauthorized', message, errors: [] }))
    }
    new Promise((resolve) => resolve(check(credential, request, reply))).then(accept).then(
      () => done(),
      (error) => done(asError(error)),
    )
  }
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
      request.input = undefined
      rejection = await rejectionBy(hooks)
      if (!rejection) return
    }
    throw rejection
  }
}
