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

/** How a scheme sends its key; undefined where none can be typed: digests, client certificates. */
function credentialOf({ securitySchemes }: Model, name: string): Credential | undefined {
  const scheme = securitySchemes.get(name)
  const key = { scheme: name, label: 'API key' }
  if (scheme?.type === 'apiKey') return { ...key, in: scheme.in, name: scheme.name, prefix: '' }
  const inHeader = { ...key, in: 'header', name: 'Authorization' }
  if (scheme?.type === 'oauth2' || scheme?.type === 'openIdConnect')
    return { ...inHeader, label: 'Access token', prefix: 'Bearer ' }
  const kind = scheme?.type === 'http' ? scheme.scheme.toLowerCase() : ''
  if (kind === 'basic') return { ...inHeader, label: 'User name:password', prefix: 'Basic ' }
  return kind === 'bearer' ? { ...inHeader, prefix: 'Bearer ' } : undefined
}
