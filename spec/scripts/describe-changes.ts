// Describes the changes between two versions of the document, as `redocly diff` finds them, in Markdown.
import { methods } from 'exact-openapi/model'

/** A change as `redocly diff --format=json` lists it. */
export interface Change {
  /** A JSON pointer, `#/paths/~1pets~1{petId}/get/responses/404`. */
  path: string
  kind: 'added' | 'removed' | 'modified'
  impact: 'major' | 'minor' | 'patch'
  /** Why it is breaking. */
  verdicts: readonly { message: string }[]
  property?: string
  base?: SourceValue
  revision?: SourceValue
}

interface SourceValue {
  pointer?: string
  value?: unknown
}

const isBreaking = '**Breaking** in'
const verbs = { added: 'Added to', removed: 'Removed from', modified: 'Changed in' }

/** Wording and examples, which no program notices. */
const wording = /(^|\/)(description|summary|title|example|examples|tags|info)(\/|$)/

/** Names for the changed parts, by their pointers within the operation. */
const nouns: [RegExp, (...names: string[]) => string][] = [
  [/^\/responses\/([^/]+)$/, (status) => `response ${status}`],
  [/^\/responses\/([^/]+)\/headers\/([^/]+)/, (_status, name) => `header \`${name}\``],
  [/^\/responses\/([^/]+)\/links/, (status) => `links of response ${status}`],
  [/\/properties\/([^/]+)$/, (name) => `field \`${name}\``],
  [/\/x-codeSamples/, () => 'code samples'],
  [/\/(x-[\w-]+)/, (name) => `\`${name}\``],
]

/**
 * @param operations those of both versions, `GET /pets/{petId}`
 * @returns a list
 */
export function describeChanges(changes: readonly Change[], operations: readonly string[]): string {
  /** The operations of each change, by its description. */
  const places = new Map<string, Set<string>>()
  for (const change of changes.filter(isNoticed).flatMap(parametersOf)) {
    const { verb, noun, within } = describe(change)
    const affected = places.get(`${verb}\n${noun}`) ?? new Set()
    for (const operation of within) affected.add(operation)
    places.set(`${verb}\n${noun}`, affected)
  }

  const rank = (line: string) => (line.startsWith(`- ${isBreaking}`) ? 0 : 1)
  return Array.from(places, ([description, within]) => {
    const [verb = '', noun = ''] = description.split('\n')
    const isEvery = operations.length > 1 && operations.every((operation) => within.has(operation))
    const where = isEvery ? 'every operation' : [...within].map(quoted).join(', ')
    return `- ${verb} ${where || 'the API'}: ${noun}.`
  })
    .sort((a, b) => rank(a) - rank(b))
    .join('\n')
}

function isNoticed({ path, property = '', verdicts }: Change): boolean {
  const isUnused = path.startsWith('#/components/') // a component counts where it is used
  return verdicts.length > 0 || !(isUnused || wording.test(`${path}/${property}`))
}

/** A list of parameters that was added or removed as a whole, as a change of each. */
function parametersOf(change: Change): Change[] {
  const { path, verdicts, revision, base } = change
  const list = (revision ?? base)?.value
  if (!path.endsWith('/parameters') || !Array.isArray(list) || verdicts.length > 0) return [change]
  return list.map((value, index) => ({ ...change, path: `${path}/${index}`, revision: { value } }))
}

function describe({ path, kind, verdicts, property, base, revision }: Change) {
  const [, encoded = '', method, rest = ''] = /^#\/paths\/([^/]+)(?:\/([a-z]+))?(.*)$/.exec(path) ?? []
  const { pointer = '', value } = revision ?? base ?? {}
  const [, schema] = /^#\/components\/schemas\/([^/]+)/.exec(pointer) ?? []
  const changed = method ? [method] : methods.filter((each) => each in Object(value))
  const url = unescaped(encoded)
  const operations = changed.map((each) => `${each.toUpperCase()} ${url}`)
  const within = schema ? [schema] : operations // a shared schema is reported once
  const [breaking] = verdicts
  if (breaking) return { verb: isBreaking, noun: breaking.message.replace(/\.$/, ''), within }
  if (encoded && !rest && !property) return { verb: verbs[kind], noun: operations.map(quoted).join(', '), within: [] }
  if (method && !rest) return { verb: verbs[kind], noun: quoted(String(property)), within }
  const isParameter = /^\/parameters\/\d+$/.test(rest) && !property
  const noun = isParameter ? parameterNoun(Object(value)) : nounOf(rest || path)
  return { verb: verbs[kind], noun: property ? `\`${property}\` of ${noun}` : noun, within }
}

/** One that is a reference has the name of its component. */
function parameterNoun({ $ref, name, in: location, required }: Record<string, unknown>): string {
  if ($ref) return `parameter ${quoted(String($ref).replace(/.*\//, ''))}`
  return `${required ? 'required' : 'optional'} ${location} parameter ${quoted(String(name))}`
}

function nounOf(pointer: string): string {
  for (const [pattern, noun] of nouns) {
    const [, ...names] = pattern.exec(pointer) ?? []
    if (pattern.test(pointer)) return noun(...names)
  }
  return quoted(unescaped(pointer))
}

function unescaped(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

function quoted(text: string): string {
  return `\`${text}\``
}
