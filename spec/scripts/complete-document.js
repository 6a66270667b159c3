// Writes into a document what every operation has: the shared responses, and the headers of its own ones.
import { parseDocument } from 'yaml'
import { operationsOf } from './document.js'

const headers = { 'RateLimit-Policy': 'RateLimitPolicy', RateLimit: 'RateLimit', 'X-Request-Id': 'RequestId' }

/** The statuses of the shared responses, by those of their examples. @param {any} document */
function sharedBy({ components: { responses = {} } = {} }) {
  const shared = new Map()
  for (const [name, { content }] of Object.entries(responses)) {
    const [{ value }] = Object.values(content['application/json'].examples)
    if (!shared.has(value.status)) shared.set(value.status, name)
  }
  return [...shared]
}

/**
 * Adds to each operation the shared responses whose status it lacks, and to each other response that has no headers the
 * common ones. All else stays as it is, comments included.
 * @param {string} text YAML
 */
export function complete(text) {
  const yaml = parseDocument(text)
  const document = yaml.toJS()
  const shared = sharedBy(document)
  /** @type {[offset: number, text: string][]} */
  const insertions = []
  const lineOf = (/** @type {number} */ offset) => text.lastIndexOf('\n', offset) + 1

  for (const { method, path, operation } of operationsOf(document)) {
    const node = /** @type {any} */ (yaml.getIn(['paths', path, method, 'responses'], true))
    const indent = ' '.repeat(node.items[0].key.range[0] - lineOf(node.items[0].key.range[0]))
    const isOpen = (operation.security ?? document.security)?.length === 0
    for (const [status, name] of shared) {
      if (node.has(String(status)) || (status === 403 && method === 'get') || (isOpen && [401, 403].includes(status)))
        continue
      const next = node.items.find((/** @type {any} */ { key }) => Number(key.value) > status)
      const place = next ? lineOf(next.key.range[0]) : lineOf(node.range[2])
      insertions.push([place, `${indent}"${status}":\n${indent}  $ref: "#/components/responses/${name}"\n`])
    }
    for (const { value } of node.items) {
      if (value.has('$ref') || value.has('headers')) continue
      const { range } = value.items[0].value
      const lines = Object.entries(headers).map(
        ([header, name]) => `${indent}    ${header}:\n${indent}      $ref: "#/components/headers/${name}"\n`,
      )
      insertions.push([lineOf(range[2]), `${indent}  headers:\n${lines.join('')}`])
    }
  }
  return insertions
    .toReversed()
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [place, more]) => text.slice(0, place) + more + text.slice(place), text)
}
