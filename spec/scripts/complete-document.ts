// Writes into a document what every operation has: the shared responses, and the headers of responses.

import type { Document } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import { isMap, type Pair, parseDocument, type Range, type Scalar, type YAMLMap } from 'yaml'

/** Every response has these headers: the name, and the component. */
const common = { 'X-Request-Id': 'RequestId' }
/** Responses that an operation has for itself answer requests with a key, and have these, too. */
const ofKeys = { 'RateLimit-Policy': 'RateLimitPolicy', RateLimit: 'RateLimit' }

type Entry = Pair<Scalar, YAMLMap>
type Added = { [key: string]: string | Added }
type Insertion = [offset: number, text: string]

/**
 * Adds to each operation the shared responses whose status it lacks, to each response the common headers that it lacks,
 * and to one of an operation that has none of these those of keys. All else stays as it is, comments included.
 * @param text YAML
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
  const sharedNodes = yaml.getIn(['components', 'responses'], true)
  const insertions = isMap(sharedNodes) ? headersOf(text, sharedNodes.items as Entry[], {}) : []

  for (const operation of model.operations) {
    const { id, method, path } = operation
    const node = yaml.getIn(['paths', path, method.toLowerCase(), 'responses'], true)
    if (!isMap(node)) {
      throw new Error(`${id} needs responses of its own, as they are completed: not a YAML alias`)
    }
    const entries = node.items as Entry[]
    // First: at the same offset, what is within a response comes before the next one.
    insertions.push(...headersOf(text, entries, ofKeys))
    for (const [status, name] of shared) {
      if (node.has(String(status)) || !isSharedBy(operation, status)) continue
      const next = entries.find(({ key }) => Number(key.value) > status)
      insertions.push(insertion(text, node, { [`"${status}"`]: refTo('responses', name) }, next))
    }
  }
  return insertions
    .toReversed()
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [offset, added]) => text.slice(0, offset) + added + text.slice(offset), text)
}

function isSharedBy({ isSafe, security, body }: Operation, status: number): boolean {
  if (status === 415) return body !== undefined
  const isOpen = security?.length === 0
  return !(isOpen && status === 401) && !(status === 403 && (isOpen || isSafe))
}

/** The headers that responses lack, beside their own or after the description. @param first what a new response has, too */
function headersOf(text: string, responses: Entry[], first: Record<string, string>): Insertion[] {
  return responses.flatMap(({ value: response }) => {
    if (!isMap(response) || response.has('$ref')) return []
    const has = (name: string) => response.hasIn(['headers', name])
    const isNew = !Object.keys(common).some(has)
    const missing = Object.entries({ ...(isNew && first), ...common }).filter(([name]) => !has(name))
    if (missing.length === 0) return []
    const added = Object.fromEntries(missing.map(([name, component]) => [name, refTo('headers', component)]))
    const existing = response.get('headers')
    return isMap(existing)
      ? [insertion(text, existing, added)]
      : [insertion(text, response, { headers: added }, response.items[1] as Entry)]
  })
}

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Adds to a map, before one of its entries or at its end. */
function insertion(text: string, map: YAMLMap, added: Added, next?: Entry): Insertion {
  const [first, last] = [map.items[0], map.items.at(-1)] as [Entry, Entry]
  const lineOf = (offset: number) => text.lastIndexOf('\n', offset) + 1
  if (map.flow) return [rangeOf(last.value ?? last.key)[1], `, ${flowOf(added).slice(2, -2)}`]
  const start = rangeOf(first.key)[0]
  const offset = lineOf(next ? rangeOf(next.key)[0] : rangeOf(map)[2])
  return [offset, blockOf(added, ' '.repeat(start - lineOf(start)))]
}

const rangeOf = ({ range }: Scalar | YAMLMap) => range as Range

const flowOf = (added: Added): string =>
  `{ ${Object.entries(added)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? JSON.stringify(value) : flowOf(value)}`)
    .join(', ')} }`

const blockOf = (added: Added, indent: string): string =>
  Object.entries(added)
    .map(([key, value]) =>
      typeof value === 'string'
        ? `${indent}${key}: ${JSON.stringify(value)}\n`
        : `${indent}${key}:\n${blockOf(value, `${indent}  `)}`,
    )
    .join('')
