// What an operation wants of a caller: how each of its security schemes sends a key.
import type { Model, Operation } from 'exact-openapi/model'
import type { Callable, Credential } from '#browser/request.js'

type Alternatives = Callable['alternatives']

/** Those that need keys come first, else in the order of the document. Those that differ in their scopes are one. */
export function alternativesOf(model: Model, { security = [] }: Operation): Alternatives {
  const distinct = new Map(security.map((schemes) => [schemes.join(), schemes]))
  const all = [...distinct.values()].map((schemes) => {
    const credentials = schemes.flatMap((name) => credentialOf(model, name, schemes.length > 1) ?? [])
    // A header or a parameter has one value.
    const sent = new Map(
      credentials.toReversed().map((credential) => [`${credential.in} ${credential.name.toLowerCase()}`, credential]),
    )
    return { name: schemes.join(' and ') || 'No key', credentials: [...sent.values()].toReversed() }
  })
  const needsKey = ({ credentials }: Alternatives[number]) => Number(credentials.length > 0)
  return all.toSorted((a, b) => needsKey(b) - needsKey(a))
}

/** Undefined where no key can be typed: digests, client certificates. */
function credentialOf({ securitySchemes }: Model, name: string, isOneOfSeveral: boolean): Credential | undefined {
  const scheme = securitySchemes.get(name)
  const variable = isOneOfSeveral ? variableOf(name) : 'API_KEY'
  const key = { scheme: name, label: 'API key', variables: [variable] }
  if (scheme?.type === 'apiKey') return { ...key, in: scheme.in, name: scheme.name, prefix: '' }
  const inHeader = { ...key, in: 'header', name: 'Authorization' }
  if (scheme?.type === 'oauth2' || scheme?.type === 'openIdConnect')
    return { ...inHeader, label: 'Access token', prefix: 'Bearer ' }
  const kind = scheme?.type === 'http' ? scheme.scheme.toLowerCase() : ''
  if (kind === 'basic') {
    const variables = ['USERNAME', 'PASSWORD'].map((part) => `${variable.replace(/_KEY$/, '')}_${part}`)
    return { ...inHeader, label: 'User name', prefix: 'Basic ', variables }
  }
  return kind === 'bearer' ? { ...inHeader, prefix: 'Bearer ' } : undefined
}

/** `APP_ID_KEY` of `appId`: its end keeps it apart from variables of the system. */
function variableOf(scheme: string): string {
  const words = scheme.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').replace(/\W+/g, '_')
  return `${words
    .replace(/^(?=\d)/, '_')
    .toUpperCase()
    .replace(/_KEY$/, '')}_KEY`
}
