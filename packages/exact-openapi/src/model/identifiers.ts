// References to what `$id`, `$anchor` and `$dynamicAnchor` name (JSON Schema 2020-12, Core, 8.2), written as pointers: nothing else
// has to know of them.
import { isOpenApi30 } from './dialect.ts'
import type { Document, RawDocument } from './document.ts'
import { keywords, type ObjectName, withParts } from './keywords.ts'
import { childOf } from './references.ts'

type Node = Record<string, unknown>

/** Of a document that says nothing else. */
const unnamed = 'openapi:///document'

/** What cannot be resolved stays as it is, for the document to be refused. */
export const documentOf = (raw: RawDocument) => withPointers(raw) as unknown as Document

function withPointers(raw: RawDocument): RawDocument {
  if (isOpenApi30(String(raw.openapi)) || !hasIdentifiers(raw)) return raw
  const self = urlOf(String((raw as { $self?: string }).$self ?? ''), unnamed) ?? unnamed
  const { resources, anchors, scopes } = namesIn(raw, self)

  /** @returns undefined if nothing has that name */
  function pointerOf(reference: string, base: string): string | undefined {
    const [file = '', fragment = ''] = reference.split(/#(.*)/s)
    const target = file === '' ? base : urlOf(file, base)
    const resource = target === undefined ? undefined : resources.get(target)
    if (resource === undefined) return undefined
    return /^(\/|$)/.test(fragment) ? `${resource}${fragment}` : anchors.get(`${target}#${fragment}`)
  }

  /** A `$dynamicRef` that may lead to several schemas, depending on how it was reached, is left. */
  function dynamicPointerOf(reference: string, base: string): string | undefined {
    const pointer = pointerOf(reference, base)
    const several = scopes.get(String(reference.split('#')[1])) ?? []
    return several.length > 1 && several.includes(String(pointer)) ? undefined : pointer
  }

  function rewritten(node: unknown, object: ObjectName, base: string): unknown {
    if (typeof node !== 'object' || node === null) return node
    const named = object === 'schema' ? baseOf(node, base) : base
    const own = named ?? base
    const whole = withParts(node as Node, object, (part, kind) => rewritten(part, kind, own))
    if (typeof whole.$ref === 'string' && keywords.get(object)?.has('$ref'))
      whole.$ref = pointerOf(whole.$ref, own) ?? whole.$ref
    if (object !== 'schema') return whole
    return { ...withoutNames(whole, own), ...(named === undefined && { $id: whole.$id }) }
  }

  function withoutNames(node: Node, base: string): Node {
    const { $id, $anchor, $dynamicAnchor, $dynamicRef, ...others } = node
    const pointer = typeof $dynamicRef === 'string' ? dynamicPointerOf($dynamicRef, base) : undefined
    const allOf = (others.allOf as object[] | undefined) ?? []
    return {
      ...others,
      ...($dynamicRef !== undefined && pointer === undefined && { $dynamicRef }),
      ...(pointer !== undefined && { allOf: [{ $ref: pointer }, ...allOf] }),
    }
  }

  return rewritten(raw, 'document', self) as RawDocument
}

/** The pointers of all that has a name; of a dynamic anchor, those of each schema that has it. */
function namesIn(raw: object, self: string) {
  const resources = new Map([[self, '#']])
  const anchors = new Map<string, string>()
  const scopes = new Map<string, string[]>()

  function collect(node: unknown, object: ObjectName, pointer: string, base: string): void {
    if (typeof node !== 'object' || node === null) return
    const own = object === 'schema' ? (baseOf(node, base) ?? base) : base
    if (own !== base) resources.set(own, pointer)
    if (object === 'schema') {
      const { $anchor, $dynamicAnchor } = node as Node
      for (const name of [$anchor, $dynamicAnchor]) if (name !== undefined) anchors.set(`${own}#${name}`, pointer)
      if ($dynamicAnchor !== undefined)
        scopes.set(String($dynamicAnchor), [...(scopes.get(String($dynamicAnchor)) ?? []), pointer])
    }
    withParts(node as Node, object, (part, kind, ...keys) => collect(part, kind, childOf(pointer, ...keys), own))
  }

  collect(raw, 'document', '#', self)
  return { resources, anchors, scopes }
}

/** @returns undefined for an `$id` that is no identifier of a schema */
function baseOf({ $id }: { $id?: unknown }, base: string): string | undefined {
  if ($id === undefined) return base
  const id = String($id).replace(/#$/, '')
  return id === '' || id.includes('#') ? undefined : urlOf(id, base)
}

function urlOf(text: string, base: string): string | undefined {
  try {
    return new URL(text, base).href
  } catch {
    return undefined
  }
}

/** Whether anything has the name of such a keyword, even if it is a property. */
function hasIdentifiers(raw: object): boolean {
  const seen = new Set<unknown>([raw])
  for (const node of seen) {
    for (const [key, value] of Object.entries(node as object)) {
      if (/^\$(self|id|anchor|dynamicAnchor|dynamicRef)$/.test(key)) return true
      if (typeof value === 'object' && value !== null) seen.add(value)
    }
  }
  return false
}
