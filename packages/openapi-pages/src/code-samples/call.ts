// What samples and the form need of an operation to call it.
import type { Model, Operation } from 'exact-openapi/model'
import { isJson } from '#browser/media-types.js'
import type { Callable } from '#browser/request.js'
import { alternativesOf } from '../credentials.ts'
import { ofInfo } from '../extensions.ts'
import { urlsOf } from '../reference/texts.ts'

export function callableOf(model: Model, operation: Operation): Callable {
  const { id, method, path, parameters, responses } = operation
  const results = responses.filter(({ status }) => status.startsWith('2')).flatMap(({ media }) => media)
  const types = [...new Set(results.map(({ type }) => type))]
  return {
    id,
    method,
    path,
    parameters,
    servers: serversOf(model, operation),
    alternatives: alternativesOf(model, operation),
    accept: types.length > 1 ? types.toSorted((a, b) => Number(isJson(b)) - Number(isJson(a))) : [],
    client: ofInfo(model.info)['x-client'],
    hasResult: results.length > 0,
  }
}

/** Base URLs of its own, in place of the document's: undefined where they are the same. */
export function serversOf(model: Model, { servers = [] }: Operation): string[] | undefined {
  const usual = model.servers.flatMap(urlsOf)
  const urls = servers.flatMap(urlsOf).map((url) => url.replace(/\/$/, ''))
  if (urls.length === 0 || urls.every((url) => usual.some((other) => other.replace(/\/$/, '') === url)))
    return undefined
  return urls
}
