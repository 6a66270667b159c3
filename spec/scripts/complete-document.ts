// Writes into a document what every operation has: the shared responses, and the headers of its own ones.
import { isMap, type Pair, parseDocument, type Range, type Scalar, type YAMLMap } from 'yaml'
import { type Document, modelOf } from '../model/index.ts'

const headers = { 'RateLimit-Policy': 'RateLimitPolicy', RateLimit: 'RateLimit', 'X-Request-Id': 'RequestId' }

type Entry = Pair<Scalar, YAMLMap>

/**
 * Adds to each operation the shared responses whose status it lacks, and to each other response that has no headers the
 * common ones. All else stays as it is, comments included.
 * @param text YAML
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
  const insertions: [offset: number, text: string][] = []
  const lineOf = (offset: number) => text.lastIndexOf('\n', offset) + 1
  const startOf = ({ range }: Scalar | YAMLMap) => (range as Range)[0]
  const endOf = ({ range }: Scalar | YAMLMap) => (range as Range)[2]

  for (const { method, path, security } of model.operations) {
    const node = yaml.getIn(['paths', path, method.toLowerCase(), 'responses'], true) as YAMLMap<Scalar, YAMLMap>
    const entries = node.items as Entry[]
    const [{ key: first }] = entries as [Entry]
    const indent = ' '.repeat(startOf(first) - lineOf(startOf(first)))
    const isOpen = security?.length === 0
    for (const [status, name] of shared) {
      const needsKey = status === 401 || status === 403
      if (node.has(String(status)) || (status === 403 && method === 'GET') || (isOpen && needsKey)) continue
      const next = entries.find(({ key }) => Number(key.value) > status)
      const place = lineOf(next ? startOf(next.key) : endOf(node))
      insertions.push([place, `${indent}"${status}":\n${indent}  $ref: "#/components/responses/${name}"\n`])
    }
    for (const { value } of entries) {
      if (!isMap(value) || value.has('$ref') || value.has('headers')) continue
      const lines = Object.entries(headers).map(
        ([header, name]) => `${indent}    ${header}:\n${indent}      $ref: "#/components/headers/${name}"\n`,
      )
      const description = value.items[0]?.value as Scalar
      insertions.push([lineOf(endOf(description)), `${indent}  headers:\n${lines.join('')}`])
    }
  }
  return insertions
    .toReversed()
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [place, more]) => text.slice(0, place) + more + text.slice(place), text)
}
