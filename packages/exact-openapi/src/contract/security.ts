// The hooks that enforce an operation's security: one guard for each scheme.
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify'
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
type Hook = onRequestHookHandler | onRequestAsyncHookHandler
type Hooks = readonly Hook[]

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
      if (Array.isArray(check)) return check as Hooks
      if (typeof check === 'function') return [credentialHook(use, check as CredentialCheck, errorOf)]
      throw new Error(`the guard of "${name}" must return a function or a list of hooks`)
    }),
  )
  const [only = [], ...others] = alternatives
  if (others.length === 0) return only
  // The empty alternative accepts everything: last, so that a credential counts.
  return [
    firstOf(
      alternatives.toSorted((a, b) => Number(a.length === 0) - Number(b.length === 0)),
      errorOf,
    ),
  ]
}

/** The request has no credential of the scheme. */
const lacking = new WeakMap<Error, string>()

function credentialHook({ name, scheme }: SchemeUse, check: CredentialCheck, errorOf: ErrorOf): onRequestHookHandler {
  const read = credentialReader(scheme)
  return (request, reply, done) => {
    const accept = (identity: unknown) => {
      request.input = { auth: { ...request.input?.auth, [name]: identity } }
    }
    const credential = read(request)
    if (credential === undefined) {
      if (scheme.type !== 'apiKey') reply.header('www-authenticate', `${authenticationOf(scheme)} realm="${name}"`)
      const error = unauthorized([name], errorOf)
      lacking.set(error, name)
      return done(error)
    }
    new Promise((resolve) => resolve(check(credential, request, reply))).then(accept).then(
      () => done(),
      (error) => done(asError(error)),
    )
  }
}

function unauthorized(schemes: readonly string[], errorOf: ErrorOf): Error {
  const names = schemes.map((name) => `"${name}"`).join(' or ')
  return errorOf({ code: 'unauthorized', message: `Send a credential of the security scheme ${names}.`, errors: [] })
}

interface Rejection {
  error: Error
  headers: ReturnType<FastifyReply['getHeaders']>
}

/**
 * The first alternative that accepts a request wins. If none does, the response is that of a credential that was sent, first of one
 * that is valid, but not allowed to; and a 401 has the challenges of all (RFC 9110, section 11.6.1).
 */
function firstOf(alternatives: readonly Hooks[], errorOf: ErrorOf): onRequestHookHandler {
  return async function (request, reply) {
    const before = reply.getHeaders()
    const rejections: Rejection[] = []
    for (const hooks of alternatives) {
      request.input = undefined
      const error = await rejectionBy(hooks, this, request, reply)
      if (!error) return
      const headers = reply.getHeaders()
      rejections.push({ error, headers })
      // What a rejected alternative says of itself is not part of the response.
      for (const name of Object.keys(headers)) if (!(name in before)) reply.removeHeader(name)
    }
    const names = rejections.flatMap(({ error }) => lacking.get(error) ?? [])
    const rank = (rejection: Rejection) => (lacking.has(rejection.error) ? 2 : isUnauthorized(rejection) ? 1 : 0)
    const [first] = rejections.toSorted((a, b) => rank(a) - rank(b)) as [Rejection]
    const { error, headers } = first
    reply.headers(headers)
    if (!isUnauthorized(first)) throw error
    const challenges = rejections.flatMap((rejection) => rejection.headers['www-authenticate'] ?? [])
    if (challenges.length > 0) reply.header('www-authenticate', [...new Set(challenges.flat())].join(', '))
    throw lacking.has(error) ? unauthorized(names, errorOf) : error
  }
}

/** What an error of an application's own means, its headers say. */
const isUnauthorized = ({ error, headers }: Rejection) =>
  lacking.has(error) || (error as { statusCode?: number }).statusCode === 401 || 'www-authenticate' in headers

/** A hook calls back or returns a promise, as Fastify's own do; one that has sent a response accepts nothing. */
async function rejectionBy(
  hooks: Hooks,
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Error | undefined> {
  try {
    for (const hook of hooks) {
      /* c8 ignore next -- a hook that sends a response and then calls back */
      if (reply.sent) return undefined
      await new Promise<void>((resolve, reject) => {
        const done = (error?: Error) => (error ? reject(error) : resolve())
        const promise: unknown = (hook as onRequestHookHandler).call(app, request, reply, done)
        if (promise instanceof Promise) promise.then(() => resolve(), reject)
      })
    }
    return undefined
  } catch (error) {
    return asError(error)
  }
}
