// The addresses of a request: the prefix and origin it came through, the canonical copy, and the API's base URL. The HTML,
// the Markdown and the OpenAPI document all take the base URL in their samples from here.
import type { Document } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ipMatcher } from 'http-edge/addresses'
import { urlsOf } from './reference/texts.ts'

export interface Address {
  /** The path below which a trusted proxy serves this server, without a trailing slash. */
  prefix: string
  /** The address of the server's root, without a trailing slash; '' if the Host header is not usable. */
  serverUrl: string
  /** The address below which the pages are, the same unless the plugin has a prefix. */
  rootUrl: string
  /** The same of the canonical copy (RFC 6596); '' if unknown. */
  canonical: string
  /** The API's base URL in samples; a placeholder if no API is served at this address and the document names none. */
  baseUrl: string
  isApiKnown: boolean
}

export type AddressOf = (request: FastifyRequest, reply: FastifyReply) => Address

export const UNKNOWN_HOST = 'https://YOUR_API_HOST'

export interface AddressOptions {
  /** Addresses of proxies whose X-Forwarded-Prefix is trusted. Default: none. */
  trustProxy?: string[]
  /** The path below which a proxy serves this server, if no proxy says so. */
  basePath?: string
  /** Whether the API is served at the addresses of the pages. Default: true. */
  isApiServed?: boolean
  /** The URL of the page that this one is a copy of (RFC 6596), undefined if it is none. Default: none is. */
  canonicalOf?: (request: FastifyRequest, reply: FastifyReply) => string | undefined
}

/** The first server of a document (OpenAPI 3.0.3, "OpenAPI Object"), without a trailing slash. */
export function serverOf(document: Document): string {
  const [server] = modelOf(document).servers
  return server ? String(urlsOf(server)[0]).replace(/\/$/, '') : ''
}

/** The path below which a proxy serves the server. */
export function prefixesOf({ trustProxy = [], basePath = '' }: AddressOptions): (request: FastifyRequest) => string {
  const isTrusted = ipMatcher(trustProxy)
  return ({ headers, raw }) => {
    const prefix = String(headers['x-forwarded-prefix'] ?? '').replace(/\/$/, '')
    return /^(\/[\w.~-]+)+$/.test(prefix) && isTrusted(raw.socket.remoteAddress) ? prefix : basePath
  }
}

/** @param ownPrefix of the plugin */
export function addressesOf(document: Document, options: AddressOptions, ownPrefix: string): AddressOf {
  const prefixOf = prefixesOf(options)
  const server = serverOf(document)

  return (request, reply) => {
    const prefix = prefixOf(request)
    const copied = options.canonicalOf?.(request, reply)
    const canonical = copied === undefined ? '' : new URL(copied).origin
    const serverUrl = canonical || withPrefix(originOf(request), prefix)
    const isApiServed = options.isApiServed !== false && serverUrl !== ''
    const [rootUrl, copy] = [serverUrl, canonical].map((url) => withPrefix(url, ownPrefix)) as [string, string]
    const addresses = { prefix, serverUrl, rootUrl, canonical: copy }
    if (URL.canParse(server)) return { ...addresses, baseUrl: server, isApiKnown: true }
    return { ...addresses, baseUrl: `${isApiServed ? serverUrl : UNKNOWN_HOST}${server}`, isApiKnown: isApiServed }
  }
}

/** Only an origin that is safe in every format, whatever the Host header contains. */
function originOf({ protocol, host }: FastifyRequest): string {
  const url = `${protocol}://${host}`
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : ''
}

function withPrefix(origin: string, prefix: string): string {
  return origin && `${origin}${prefix}`
}

/** The Link header of a page (RFC 8288). `path` is the page's, also for its Markdown. `root` leads to the root. */
export function linksOf(path: string, root: string, canonical: string, document: string): string {
  return [
    ...(canonical ? [`<${canonical}${path}>; rel="canonical"`] : []),
    `<${root}${document}.json>; rel="service-desc"; type="application/json"`, // RFC 8631
    `<${root}${document}.yaml>; rel="service-desc"; type="application/yaml"`,
    `<${root}${path.slice(1)}.md>; rel="alternate"; type="text/markdown"`,
    `<${root}llms.txt>; rel="alternate"; type="text/plain"`,
    `<${root}.well-known/api-catalog>; rel="api-catalog"`, // RFC 9727
  ].join(', ')
}
