// Goes through a document, object by object, and finds what is not among the known keywords or leads nowhere.
import type { Version } from '../openapi-schema.ts'
import { conditions, type FindingKind } from './conditions.ts'
import type { RawDocument } from './document.ts'
import { type Keyword, type Keywords, keywordOf, keywords, type ObjectName } from './keywords.ts'
import { childOf, describePointer, follow, isRef, type Ref, step } from './references.ts'

export interface Finding {
  pointer: string
  /** With the place in words. */
  message: string
  kind: FindingKind
}

interface Visit {
  node: unknown
  pointer: string
  object: ObjectName
  /** What it is a part of. */
  within?: ObjectName
}

export const invalid = (text: string) => `the document is not valid OpenAPI: ${text}`

/** In the order of the document, what references lead to last. @returns also the schemas that are no parts of others */
export function findingsIn(document: RawDocument, version: Version): { findings: Finding[]; schemas: string[] } {
  const findings: Finding[] = []
  const schemas: string[] = []
  const visited = new Map<ObjectName, WeakSet<object>>([...keywords.keys()].map((name) => [name, new WeakSet()]))
  const waiting: Visit[] = [{ node: document, pointer: '#', object: 'document' }]
  /** What is next comes last. */
  const parts: Visit[] = []

  function add(kind: FindingKind, pointer: string, key: string, text: string): void {
    const message = `${describePointer(document, pointer)}: ${text}`
    findings.push({
      kind,
      pointer: childOf(pointer, key),
      message: kind === 'invalid-part' ? invalid(message) : message,
    })
  }

  function visit({ node, pointer, object, within }: Visit): void {
    const seen = visited.get(object) as WeakSet<object>
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    if (object === 'schema' && within !== 'schema') schemas.push(pointer)
    const known = keywords.get(object) as Keywords
    const isReference = isRef(node) && known.get('$ref')?.versions.includes(version)
    if (isReference) visitTarget({ node, pointer, object })
    const isAlone = isReference && !(object === 'schema' && version !== '3.0')
    const found: Visit[] = []
    for (const [key, value] of Object.entries(node)) {
      if (isAlone) requireIdle(key, { node, pointer, object }, known)
      else found.push(...visitKeyword(key, value, { node, pointer, object }))
    }
    for (const one of found.reverse()) parts.push(one)
  }

  const ending = new Set<string>()

  /** @throws for a reference that leads nowhere or back to itself, through any number of others */
  function requireEnd(node: Ref, pointer: string): void {
    const passed = new Set<string>()
    let at: unknown = node
    while (isRef(at) && !ending.has(at.$ref)) {
      if (passed.has(at.$ref)) follow(document, node, pointer) // which throws
      passed.add(at.$ref)
      at = step(document, at, '#').node
    }
    for (const text of passed) ending.add(text)
  }

  function visitTarget({ node, pointer, object }: Visit & { node: Ref }): void {
    try {
      waiting.push({ ...step(document, node, pointer), object })
      requireEnd(node, pointer)
    } catch (error) {
      findings.push({ kind: 'wrong', pointer, message: invalid((error as Error).message) })
    }
  }

  /** OpenAPI 3.0.4, "Reference Object": what stands beside a reference is ignored. */
  function requireIdle(key: string, { pointer, object }: Visit, known: Keywords): void {
    if (key === '$ref' || known.get(key)?.use !== 'read') return
    add(object === 'pathItem' ? 'invalid-part' : 'idle', pointer, key, `${key} has no effect beside $ref`)
  }

  function visitKeyword(key: string, value: unknown, { node, pointer, object }: Visit): Visit[] {
    const keyword = keywordOf(object, key)
    if (key.startsWith('x-')) return []
    if (!keyword?.versions.includes(version)) {
      const others = keyword ? `, but of ${keyword.versions.join(' and ')}` : ''
      add('invalid-part', pointer, key, `${key} is no keyword of OpenAPI ${version} here${others}`)
    } else if (keyword.use === 'refused') {
      add('wrong', pointer, key, `${key} is not supported: ${keyword.instead}`)
    }
    for (const [kind, condition] of conditions[`${object} ${key}`] ?? []) {
      const text = condition(value, node as Record<string, unknown>)
      if (text) add(kind, pointer, key, text)
    }
    return keyword?.object ? visitsOf(value, childOf(pointer, key), keyword, object) : []
  }

  for (const one of waiting) {
    visit(one)
    for (let part = parts.pop(); part; part = parts.pop()) visit(part)
  }
  return { findings, schemas }
}

function visitsOf(value: unknown, pointer: string, { object, isNamed }: Keyword, within: ObjectName): Visit[] {
  const visitOf = (node: unknown, place: string) => ({ node, pointer: place, object: object as ObjectName, within })
  if (!isNamed && !Array.isArray(value)) return [visitOf(value, pointer)]
  return Object.entries(Object(value)).map(([name, field]) => visitOf(field, childOf(pointer, name)))
}
