// Adds to a document what every operation has: the shared responses, and the headers of responses.

import type { Document } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import { isMap, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml'

/** Every response has these headers: the name, and the component. */
const common = { 'X-Request-Id': 'RequestId' }
/** The responses that an operation has itself are to requests with a key, and have these headers, too. */
const ofKeys = { 'RateLimit-Policy': 'RateLimitPolicy', RateLimit: 'RateLimit' }

type Response = Pair<Scalar, unknown>

/**
 * Adds to each operation the shared responses whose status it lacks, and to each response the common headers that it lacks. A
 * response of an operation that has no common header yet gets the rate-limit headers, too.
 * @param text YAML
 * @returns the same text if nothing is missing, else one with all of its comments, but formatted anew
 * @throws naming the operation whose responses are not written out
 */
export function complete(text: string): string {
  const yaml = parseDocument(text)
  const model = modelOf(yaml.toJS() as Document)
  const shared = new Map<number, string>()
  for (const [name, response] of model.responses) {
    const [{ value } = {}] = response.media.flatMap(({ examples }) => examples)
    const { status } = value as { status: number }
    if (!shared.has(status)) shared.set(status, name)
  }
  let isComplete = true

  function add(map: YAMLMap, key: string, value: unknown, at = map.items.length) {
    map.items.splice(at, 0, yaml.createPair(key, value))
    isComplete = false
  }

  /** Adds the headers that responses lack. @param first what a response without common headers has, too */
  function addHeaders(responses: Response[], first: Record<string, string>) {
    for (const { value: response } of responses) {
      if (!isMap(response) || response.has('$ref')) continue
      const has = (name: string) => response.hasIn(['headers', name])
      const isNew = !Object.keys(common).some(has)
      const missing = Object.entries({ ...(isNew && first), ...common }).filter(([name]) => !has(name))
      if (missing.length > 0 && !response.has('headers')) add(response, 'headers', {}, 1)
      for (const [name, component] of missing)
        add(response.get('headers') as YAMLMap, name, refTo('headers', component))
    }
  }

  const ownResponses = yaml.getIn(['components', 'responses'], true)
  if (isMap(ownResponses)) addHeaders(ownResponses.items as Response[], {})
  for (const operation of model.operations) {
    const { id, method, path } = operation
    const responses = yaml.getIn(['paths', path, method.toLowerCase(), 'responses'], true)
    if (!isMap(responses)) {
      throw new Error(`${id} needs responses of its own, as they are completed: not a YAML alias`)
    }
    addHeaders(responses.items as Response[], ofKeys)
    for (const [status, name] of shared) {
      if (responses.has(String(status)) || !isSharedBy(operation, status)) continue
      const next = (responses.items as Response[]).findIndex(({ key }) => Number(key.value) > status)
      add(responses, String(status), refTo('responses', name), next < 0 ? undefined : next)
    }
  }
  return isComplete ? text : yaml.toString({ lineWidth: 0 })
}

function isSharedBy({ isSafe, security, body }: Operation, status: number): boolean {
  if (status === 415) return body !== undefined
  const isOpen = security?.length === 0
  return !(isOpen && status === 401) && !(status === 403 && (isOpen || isSafe))
}

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
