// Joins a document and the files that it refers to.
import { keywords, mapped, type ObjectName, withParts } from './keywords.ts'
import { childOf, isRef, nodeAt, type Ref } from './references.ts'

type Node = Record<string, unknown>

/** Where the components of an object are. What has none is put in place of the reference. */
const sections: Partial<Record<ObjectName, string>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
}

/**
 * What other files have becomes components, named after the file or the last key of the pointer. A reference that leads nowhere
 * stays as it is. @param read returns undefined for a file that does not exist
 */
export function bundled(document: object, url: URL, read: (file: URL) => unknown): object {
  const files = new Map<string, unknown>([[url.href, document]])
  const { components: own = {} } = document as { components?: Record<string, Node> }
  const added: Record<string, Node> = {}
  const places = new Map<string, string>()

  function copy(node: unknown, file: URL, object: ObjectName): unknown {
    if (typeof node !== 'object' || node === null) return node
    if (isRef(node) && keywords.get(object)?.has('$ref')) return resolved(node, file, object)
    return copyOfParts(node as Node, file, object)
  }

  function copyOfParts(node: Node, file: URL, object: ObjectName): Node {
    const whole = withParts(node, object, (part, kind) => copy(part, file, kind))
    if (object !== 'discriminator' || !whole.mapping) return whole
    return { ...whole, mapping: mapped(whole.mapping as Node, (text) => mappedTo(String(text), file)) }
  }

  /** A value of `mapping` is a name or a reference. */
  const mappedTo = (text: string, file: URL) =>
    /\.(json|ya?ml)(#|$)/.test(text) ? (resolved({ $ref: text }, file, 'schema') as Ref).$ref : text

  function resolved({ $ref, ...beside }: Ref, file: URL, object: ObjectName): unknown {
    const [path = '', pointer = ''] = $ref.split('#')
    const target = new URL(path, file)
    const others = copyOfParts(beside, file, object)
    if (target.href === url.href) return { $ref: `#${pointer}`, ...others }
    if (target.protocol !== 'file:') return { $ref, ...others }
    const node = nodeIn(target, pointer)
    if (node === undefined) return { $ref, ...others }
    const section = sections[object]
    if (section === undefined) return { ...(copy(node, target, object) as Node), ...others }
    const key = `${target.href}#${pointer}`
    const known = places.get(key)
    if (known) return { $ref: known, ...others }
    const name = nameFor(pointer || target.pathname.replace(/\.\w+$/, ''), section)
    const place = childOf('#', 'components', section, name)
    places.set(key, place) // before its parts are copied: they may refer to it
    Object.assign(added[section] as Node, { [name]: copy(node, target, object) })
    return { $ref: place, ...others }
  }

  /** An anchor is looked for within the document alone. */
  function nodeIn(file: URL, pointer: string): unknown {
    if (/^[^/]/.test(pointer)) return undefined
    if (!files.has(file.href)) files.set(file.href, read(file))
    return nodeAt(files.get(file.href), pointer)
  }

  /** Of a component that is added. */
  function nameFor(path: string, section: string): string {
    const name = String(path.split('/').at(-1)).replace(/[^\w.-]/g, '_')
    const others = added[section] ?? {}
    added[section] = others
    let unique = name
    for (let count = 2; unique in { ...own[section], ...others }; count++) unique = `${name}${count}`
    others[unique] = undefined
    return unique
  }

  const whole = copy(document, url, 'document') as { components?: Record<string, Node> }
  if (files.size === 1) return document
  const all = mapped(added, (nodes, section) => ({ ...whole.components?.[section], ...(nodes as Node) }))
  return { ...whole, components: { ...whole.components, ...all } }
}
