// The keys that a reader can enter: one for each security scheme that an operation asks for.
import type { Model, Operation } from 'exact-openapi/model'
import type { Credential } from '#browser/request.js'
import { alternativesOf } from '../credentials.ts'
import type { Ids } from './ids.ts'
import type { schemesOf } from './security.ts'

export type Key = Credential & {
  id: string
  hintId: string
  /** Of the description of its scheme, which says where tokens come from. */
  schemeId: string | undefined
  /** The path of an operation that tells a right key from a wrong one, without side effects; undefined if there is none. */
  probe: string | undefined
}

export function keysOf(model: Model, schemes: ReturnType<typeof schemesOf>, ids: Ids): Key[] {
  const keys = new Map<string, Key>()
  for (const operation of model.operations) {
    const alternatives = alternativesOf(model, operation)
    for (const credential of alternatives.flatMap(({ credentials }) => credentials)) {
      const { scheme } = credential
      const key = keys.get(scheme) ?? {
        ...credential,
        id: ids(`key-${scheme}`),
        hintId: ids(`key-${scheme}-hint`),
        schemeId: isIssued(model, scheme) ? schemes.find(({ name }) => name === scheme)?.id : undefined,
        probe: undefined,
      }
      // Pages cannot send cookies.
      const isEnough = alternatives.some(({ credentials: [value, other] }) => value?.scheme === scheme && !other)
      if (isEnough && credential.in !== 'cookie' && isProbe(operation)) key.probe ??= operation.path
      keys.set(scheme, key)
    }
  }
  return [...keys.values()]
}

const isIssued = ({ securitySchemes }: Model, scheme: string) =>
  /^(oauth2|openIdConnect)$/.test(String(securitySchemes.get(scheme)?.type))

function isProbe({ method, path, parameters, security = [] }: Operation): boolean {
  const isClosed = security.every((schemes) => schemes.length > 0)
  return method === 'GET' && isClosed && !path.includes('{') && parameters.every(({ required }) => !required)
}
