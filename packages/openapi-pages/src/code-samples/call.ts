// What samples and the form need of an operation to call it.
import type { Model, Operation } from 'exact-openapi'
import type { Callable, Credential } from '#browser/request.js'
import { ofInfo } from '../extensions.ts'

export function callableOf(model: Model, operation: Operation): Callable {
  const { id, method, path, parameters, responses, security = [] } = operation
  const [schemes = []] = security
  return {
    id,
    method,
    path,
    parameters,
    credentials: schemes.flatMap((name) => credentialOf(model, name) ?? []),
    client: ofInfo(model.info)['x-client'],
    hasResult: responses.some(({ status, media }) => status.startsWith('2') && media.length > 0),
  }
}

/** How a scheme sends its key. */
function credentialOf({ securitySchemes }: Model, name: string): Credential | undefined {
  const scheme = securitySchemes.get(name)
  if (!scheme) return undefined
  if (scheme.type === 'apiKey') return { in: scheme.in, name: scheme.name, prefix: '' }
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic'
  return { in: 'header', name: 'Authorization', prefix: isBasic ? 'Basic ' : 'Bearer ' }
}
