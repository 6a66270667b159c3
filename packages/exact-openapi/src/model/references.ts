// References of a document (`$ref`), and places within it as JSON pointers (RFC 6901).
import { isOpenApi30 } from './dialect.ts'
import type { RawDocument } from './document.ts'

/** A node of the document and where it stands: `#/components/schemas/Order`. */
interface Located<Node> {
  node: Node
  pointer: string
}

export type Ref = { $ref: string }

export const isRef = (node: unknown): node is Ref =>
  typeof node === 'object' && node !== null && typeof (node as Partial<Ref>).$ref === 'string'

/**
 * The node itself, or what its reference leads to, through any number of others.
 * @throws naming the place of a reference that leads nowhere or back to itself
 */
export function follow<Node>(document: RawDocument, node: Node | Ref, pointer = '#'): Located<Node> {
  const visited = new Set<string>()
  let found: Located<Node | Ref> = { node, pointer }
  while (isRef(found.node)) {
    const { $ref } = found.node
    if (visited.has($ref))
      throw new Error(`${describePointer(document, pointer)}: the reference ${$ref} leads back to itself`)
    visited.add($ref)
    found = step(document, found.node, pointer)
  }
  return found as Located<Node>
}

/** The same, with the summary and the description that stand beside the reference since 3.1, in place of its own. */
export function describedBy<Node>(document: RawDocument, given: Node | Ref, pointer: string): Located<Node> {
  const found = follow(document, given, pointer)
  const texts = Object.entries(Object(given)).filter(([key]) => /^(summary|description)$/.test(key))
  const isPlain = !isRef(given) || isOpenApi30(document.openapi) || texts.length === 0
  return isPlain ? found : { ...found, node: { ...found.node, ...Object.fromEntries(texts) } }
}

/** What a reference leads to, which may be another one. @throws naming its place if it leads nowhere */
export function step<Node>(document: RawDocument, { $ref }: Ref, pointer: string): Located<Node | Ref> {
  const target = $ref.startsWith('#/') ? nodeAt(document, $ref) : undefined
  if (target === undefined)
    throw new Error(`${describePointer(document, pointer)}: the reference ${$ref} leads nowhere`)
  return { node: target as Node | Ref, pointer: childOf('#', ...pointerKeys($ref)) }
}

/** The pointer of a child. */
export function childOf(pointer: string, ...keys: (string | number)[]): string {
  return keys.reduce<string>((parent, key) => `${parent}/${escaped(String(key))}`, pointer)
}

/** Few keys need it, and every part of a document has one. */
const escaped = (key: string): string =>
  /[%~/]/.test(key) ? key.replaceAll('%', '%25').replaceAll('~', '~0').replaceAll('/', '~1') : key

/** The pointers of all that contains the place. */
export function ancestorsOf(pointer: string): string[] {
  const keys = pointer.split('/')
  return keys.slice(1).map((_, at) => keys.slice(0, at + 1).join('/'))
}

/** The keys of a JSON pointer, `/paths/~1pets` or `#/paths/~1pets`, which may be percent-encoded. */
function pointerKeys(pointer: string): string[] {
  const [, ...keys] = pointer.split('/')
  return keys.map((key) => decoded(key).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The name of a component of that kind, if the pointer leads to one: `Order` of `#/components/schemas/Order`. */
export function componentName(pointer: string, kind: 'schemas' | 'responses'): string | undefined {
  const place = `#/components/${kind}/`
  if (!pointer.startsWith(place) || pointer.includes('/', place.length)) return undefined
  return pointerKeys(pointer).at(-1)
}

function decoded(key: string): string {
  if (!key.includes('%')) return key
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** @returns undefined if there is none */
export function nodeAt(document: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce(
    (node: unknown, key) => (Object.hasOwn(Object(node), key) ? Reflect.get(Object(node), key) : undefined),
    document,
  )
}

/** A pointer in words, `components schemas Order`; within a path item, that of a part: `requestBody content`. */
export function placeIn(pointer: string): string {
  const keys = pointerKeys(pointer)
  if (keys[0] !== 'paths') return keys.join(' ')
  return keys.slice(keys[2] === 'parameters' ? 2 : 3).join(' ') // of all operations of the path, or of one
}

/** A place in words: `cancelOrder, responses 404`, or `components schemas Order` outside of operations. */
export function describePointer(document: RawDocument, pointer: string): string {
  const [first, path = '', method = '', ...within] = pointerKeys(pointer)
  const operation = first === 'paths' ? nodeAt(document, childOf('#', 'paths', path, method)) : undefined
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    return pointerKeys(pointer).join(' ') || 'the document'
  }
  const { operationId = `${method.toUpperCase()} ${path}` } = operation as { operationId?: string }
  return [operationId, within.join(' ')].filter(Boolean).join(', ')
}

/** The beginning of a long place. */
export const shortened = (place: string): string => (place.length > 100 ? `${place.slice(0, 100)}…` : place)
