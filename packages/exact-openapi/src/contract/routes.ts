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

/**
 * `/a/{id}.json` as `/a/:p0(^.+?).json`. A colon is doubled.
 * @param literals those of the document. OpenAPI 3.0.3, "Paths Object": a concrete path comes before a template. The router
 * would try the template for the methods that the concrete path lacks, so a parameter does not match these.
 */
export function routerPath(template: string, literals: ReadonlyMap<string, ReadonlySet<string>> = new Map()): string {
  const segments = template.split('/')
  const texts = template.split(named).map((text, at) => (at % 2 === 0 ? text.replaceAll(':', '::') : text))
  return texts
    .map((text, at) => {
      if (at % 2 === 0) return text
      const name = routerName(template, text)
      if (isPartial(template, text)) return `:${name}(^.+?)`
      const others = [...(literals.get(placeOf(segments, segments.indexOf(`{${text}}`))) ?? [])]
      const patterns = others.map((literal) => literal.replaceAll(/[\\^$.*+?()[\]|]/g, '\\$&'))
      return patterns.length > 0 ? `:${name}((?!(?:${patterns.join('|')})$)[^]*)` : `:${name}`
    })
    .join('')
}

/** What paths have where paths that are otherwise the same have a parameter: `mine` of `/a/mine` beside `/a/{id}`. */
export function literalsIn(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const literals = new Map<string, Set<string>>()
  for (const path of paths) {
    const segments = path.split('/')
    for (const [at, text] of segments.entries()) {
      if (text === '' || text.includes('{')) continue
      const place = placeOf(segments, at)
      literals.set(place, (literals.get(place) ?? new Set()).add(text))
    }
  }
  return literals
}

/** The same for all paths that differ only in this segment and in the names of parameters. */
const placeOf = (segments: readonly string[], at: number) => `${at} ${unnamed(segments.with(at, '{}').join('/'))}`

const unnamed = (template: string): string => template.replaceAll(/\{[^}]*\}/g, '{}')

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

/** All that Glue has to know. @param routes by operationId */
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
  return routerPath(decodeURI(pathname).replace(/\/+$/, ''))
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
