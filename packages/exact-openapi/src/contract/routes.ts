// Path templates as the router writes them, and the document from which Glue makes its routes.
import type { FastifyServerOptions, RouteOptions } from 'fastify'
import { type Document, type Model, methods, type Operation } from '../model/index.ts'
import { readableModel } from './tolerate.ts'

/** Names that the router takes, each in a segment of its own. They keep their names, so nothing is renamed per request. */
const plain = /^(\/([^{}:]*|\{\w+\}))*$/
const named = /\{([^{}]+)\}/g

/** The parameters of a template, in its order. */
const namesIn = (template: string): string[] => Array.from(template.matchAll(named), ([, name]) => String(name))

/** How much of a template is no parameter. */
export const textIn = (template: string): number => template.replaceAll(named, '').length

/** Whether a parameter is only a part of its segment: `{id}.json`. */
export const isPartial = (template: string, name: string) => !template.split('/').includes(`{${name}}`)

/** What the router calls a parameter. */
export const routerName = (template: string, name: string): string =>
  plain.test(template) ? name : `p${namesIn(template).indexOf(name)}`

/** The router's own colons begin parameters. */
const literal = (text: string): string => text.replaceAll(':', '::')

/** `{id}.json` as `:p0(^.+?).json`. @param besides what a parameter that is the whole segment must not be */
function routerSegment(template: string, segment: string, besides: readonly string[] = []): string {
  const patterns = besides.map((text) => text.replaceAll(/[\\^$.*+?()[\]|]/g, '\\$&'))
  const exceptions = patterns.length > 0 ? `((?!(?:${patterns.join('|')})$)[^]*)` : ''
  const parts = segment.split(named).map((text, at) => {
    if (at % 2 === 0) return literal(text)
    return `:${routerName(template, text)}${isPartial(template, text) ? '(^.+?)' : exceptions}`
  })
  return parts.join('')
}

/** A path as the router writes it, and parameters that it has as text. */
export interface RouterPath {
  url: string
  fixed: Readonly<Record<string, string>>
}

/**
 * The paths of a template. OpenAPI 3.0.3, "Paths Object": a concrete path comes before a template. The router would try the
 * template for methods that the concrete path lacks, so beside `/a/b/c`, `/a/{x}/{y}` becomes `/a/:x` without `b`, then `/:y`,
 * and `/a/b/:y` without `c`.
 * @param paths those of the document
 */
export function routerPaths(template: string, paths: PathTree): RouterPath[] {
  const segments = template.split('/')
  const concrete = moreConcrete(paths, segments)
  if (concrete.length === 0)
    return [{ url: segments.map((segment) => routerSegment(template, segment)).join('/'), fixed: {} }]

  /** @param special the more concrete paths that begin like this one */
  function continued(written: Segments, fixed: RouterPath['fixed'], special: readonly Segments[]): RouterPath[] {
    const at = written.length
    const segment = segments[at]
    if (segment === undefined) return special.length > 0 ? [] : [{ url: written.join('/'), fixed }]
    const isLiteral = (path: Segments) => isName(segment) && !path[at]?.includes('{')
    const texts = [...new Set(special.filter(isLiteral).map((path) => String(path[at])))]
    const others = special.filter((path) => !isLiteral(path))
    return [
      ...continued([...written, routerSegment(template, segment, texts)], fixed, others),
      ...texts.flatMap((text) => {
        const own = special.filter((path) => !isLiteral(path) || path[at] === text)
        return continued(
          [...written, literal(text)],
          { ...fixed, [routerName(template, segment.slice(1, -1))]: text },
          own,
        )
      }),
    ]
  }
  return continued([], {}, concrete)
}

type Segments = readonly string[]

const isName = (segment: string) => /^\{[^{}]*\}$/.test(segment)

/** Paths by their segments without the names of parameters: comparing every path with every template takes seconds. */
interface PathTree {
  next: Map<string, PathTree>
  /** The paths that end here. */
  paths: Segments[]
}

export function pathTree(paths: ReadonlySet<string>): PathTree {
  const root: PathTree = { next: new Map(), paths: [] }
  for (const path of paths) {
    const segments = path.split('/')
    let node = root
    for (const segment of segments.map(unnamed)) {
      const child = node.next.get(segment) ?? { next: new Map(), paths: [] }
      node.next.set(segment, child)
      node = child
    }
    node.paths.push(segments)
  }
  return root
}

/** The paths that differ from a template only in having texts in place of parameters. */
function moreConcrete(tree: PathTree, template: Segments): Segments[] {
  let nodes: (readonly [node: PathTree, hasText: boolean])[] = [[tree, false]]
  for (const segment of template) {
    nodes = nodes.flatMap(([{ next }, hasText]) => {
      const same = next.get(unnamed(segment))
      const texts = isName(segment) ? [...next].filter(([text]) => text !== '' && !text.includes('{')) : []
      return [...(same ? [[same, hasText] as const] : []), ...texts.map(([, node]) => [node, true] as const)]
    })
  }
  return nodes.flatMap(([{ paths }, hasText]) => (hasText ? paths : []))
}

export const unnamed = (template: string): string => template.replaceAll(/\{[^}]*\}/g, '{}')

/**
 * OpenAPI 3.0.3: operationIds are unique ("Operation Object"), and templates that differ only in the names of their
 * parameters are identical ("Paths Object").
 */
export function duplicatesIn(operations: readonly Operation[]): string[] {
  const ids = new Set<string>()
  const paths = new Map<string, string>()
  return operations.flatMap(({ id, method, path }) => {
    const key = `${method} ${unnamed(path)}`
    const other = paths.get(key)
    const isTwice = ids.has(id)
    ids.add(id)
    paths.set(key, path)
    if (isTwice) return [`${id} is the operationId of two operations`]
    return other ? [`${id} cannot be routed: ${method} ${path} is the same as ${other}`] : []
  })
}

/** All that Glue has to know. @param routes by names that stand for operationIds */
export function routingDocument(routes: ReadonlyMap<string, RouteOptions>): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [operationId, { method, url }] of routes) {
    if (!(methods as readonly string[]).includes(String(method).toLowerCase()))
      throw new Error(`${operationId}: fastify-openapi-glue has no ${method}: register exactOpenapi instead`)
    const operation = { operationId, responses: { default: { description: '' } } }
    paths[url] = { ...paths[url], [String(method).toLowerCase()]: operation }
  }
  return { openapi: '3.0.3', info: { title: '', version: '' }, paths }
}

export const prefixOf = (document: Document): string => pathOf(readableModel(document).servers)

/** The path of the first server, without a slash at its end: `/v1` of `https://example.com/v1/`. */
export function pathOf([first]: Model['servers']): string {
  const { url, variables = {} } = first ?? { url: '' }
  const filled = url.replace(/\{([^{}]+)\}/g, (_, name) => variables[name]?.default ?? '')
  const { pathname } = new URL(filled, 'http://localhost')
  return literal(decodeURI(pathname).replace(/\/+$/, ''))
}

/** What the router refuses, though the document allows it. */
export function tooLong(
  operations: readonly Operation[],
  { maxParamLength = 100 }: FastifyServerOptions['routerOptions'] = {},
): string[] {
  return operations.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ in: location, name, schema }) => {
      const { maxLength = 0 } = { ...schema }
      if (location !== 'path' || maxLength <= maxParamLength) return []
      const option = `routerOptions: { maxParamLength: ${maxLength} }`
      return [`${id}: path ${name} may have ${maxLength} characters: give Fastify ${option}`]
    }),
  )
}
