// Checks Accept, If-Match, If-None-Match and If-Unmodified-Since before the handler runs. Conditions that an operation
// declares as its parameters are its own.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSafe } from '../connections.ts'
import { accepts } from '../negotiation.ts'
import { EdgeError } from './errors.ts'
import type { Operation, OperationOf } from './operation.ts'

type Check = (request: FastifyRequest) => EdgeError | undefined

/**
 * Whether each condition is met (RFC 9110, section 13.1). What an operation does not compare itself has no strong
 * entity tag, so only `If-Match: *` matches; the If-None-Match of safe methods can only lead to a 304. It has no
 * modification date either, so safe methods ignore If-Unmodified-Since. For unsafe ones, section 13.1.4 says the same, but
 * here they get 412: nothing is changed under a condition that was not checked.
 */
const conditions: Record<string, (value: string, method: string) => boolean> = {
  'if-match': isAny,
  'if-none-match': (value, method) => isSafe(method) || !isAny(value),
  'if-unmodified-since': (_value, method) => isSafe(method),
}

export function checkPreconditions(app: FastifyInstance, operationOf: OperationOf): void {
  const checks = new WeakMap<Operation, Check>()
  app.addHook('onRoute', ({ config }) => {
    const operation = config && operationOf(config)
    if (operation) checks.set(operation, checkOf(operation))
  })
  // A hook of the route would run only after the body has arrived.
  app.addHook('preHandler', (request, _reply, done) => {
    // Asked first, since finding what the route declares takes longer.
    const { accept, 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': since } = request.headers
    if ((accept ?? match ?? noneMatch ?? since) === undefined) return done()
    const operation = operationOf(request.routeOptions.config)
    done(operation && checks.get(operation)?.(request))
  })
}

function checkOf({ parameters, responses }: Operation): Check {
  const declared = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase())
  const checked = Object.entries(conditions).filter(([name]) => !declared.includes(name))
  const types = typesOf(responses)
  return ({ method, headers }) => {
    if (!types.some((type) => type.includes('*') || accepts(headers, type)))
      return new EdgeError('not_acceptable', `Responses are available only as ${types.join(' or ')}.`)
    const isUnmet = checked.some(
      ([name, isMet]) => headers[name] !== undefined && !isMet(String(headers[name]), method),
    )
    return isUnmet ? new EdgeError('precondition_failed') : undefined
  }
}

/** The media types of the successes, which may be ranges; errors are JSON. */
function typesOf(responses: Operation['responses']): string[] {
  const successes = responses.filter(({ status }) => status.startsWith('2')).flatMap(({ media }) => media)
  return successes.length > 0 ? [...new Set(successes.map(({ type }) => type))] : ['application/json']
}

function isAny(value: string): boolean {
  return value.trim() === '*'
}
