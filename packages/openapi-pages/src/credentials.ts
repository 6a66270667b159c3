// What an operation wants of a caller: how each of its security schemes sends a key.
import type { Model, Operation } from 'exact-openapi/model'
import type { Credential } from '#browser/request.js'

/** Those of the first alternative. */
export function credentialsOf(model: Model, { security: [schemes = []] = [] }: Operation): Credential[] {
  return schemes.flatMap((name) => credentialOf(model, name) ?? [])
}

/** Undefined where no key can be typed: digests, client certificates. */
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
