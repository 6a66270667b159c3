// For crawlers and agents: robots.txt, sitemap.xml, llms.txt and the API catalog. Each names the canonical copy of the
// documentation, or else the host of the request.
import type { FastifyInstance } from 'fastify'
import type { Address, AddressOf } from './address.ts'
import { html } from './reference/html/markup.ts'
import { llmsText } from './reference/markdown.ts'
import type { Reference } from './reference/tree.ts'
import { memoize } from './static/memoize.ts'
import { type Copies, send } from './static/resource.ts'

interface DiscoveryOptions {
  reference(): Reference
  /** Paths. */
  pages(): readonly string[]
  /** The path of the document, without its extension. */
  document: string
  server(): string
  hasChangelog: boolean
  addressOf: AddressOf
  copiesOf: Copies
}

/** What the app serves itself stays its own. */
export function serveDiscovery(app: FastifyInstance, options: DiscoveryOptions) {
  const { reference, pages, document, server, hasChangelog, addressOf, copiesOf } = options
  const texts: Record<string, { type: string; textOf(address: Address): string }> = {
    '/robots.txt': { type: 'text/plain; charset=utf-8', textOf: ({ rootUrl }) => robots(rootUrl, server()) },
    '/sitemap.xml': { type: 'application/xml', textOf: (address) => sitemap(address, pages()) },
    '/llms.txt': {
      type: 'text/plain; charset=utf-8',
      textOf: ({ rootUrl }) => llmsText(reference(), rootUrl, hasChangelog, document),
    },
    '/.well-known/api-catalog': {
      type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      textOf: (address) => catalog(address, String(pages()[0]), document),
    },
  }
  for (const [path, { type, textOf }] of Object.entries(texts)) {
    if (app.hasRoute({ method: 'GET', url: `${app.prefix}${path}` })) continue
    const copyOf = copiesOf(type)
    const resources = memoize((_key, address: Address) => copyOf(textOf(address)))
    app.get(path, (request, reply) => {
      reply.header('cache-control', 'no-cache')
      if (path.endsWith('api-catalog')) reply.header('link', `<${path}>; rel="api-catalog"`) // RFC 9727, section 3
      const address = addressOf(request, reply)
      return send(reply, resources(`${address.rootUrl} ${address.baseUrl}`, address))
    })
  }
}

/** The API itself is not for crawlers, if it has a path of its own here. */
function robots(rootUrl: string, server: string): string {
  const isApart = server.startsWith('/')
  return `User-agent: *\nDisallow:${isApart ? ` ${server}/` : ''}\n\nSitemap: ${rootUrl}/sitemap.xml\n`
}

function sitemap({ rootUrl }: Address, pages: readonly string[]): string {
  const urls = pages.map((path) => html`  <url><loc>${rootUrl}${path}</loc></url>\n`)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.html
}

/** RFC 9264, with the relations of RFC 8631. Where the address of the API is unknown, the anchor is the root. */
function catalog({ rootUrl, baseUrl, isApiKnown }: Address, first: string, document: string): string {
  const anchor = isApiKnown ? baseUrl : `${rootUrl}/`
  const documents = { 'application/json': `/${document}.json`, 'application/yaml': `/${document}.yaml` }
  const pages = { 'text/html': first, 'text/markdown': `${first}.md` }
  const links = (paths: Record<string, string>) =>
    Object.entries(paths).map(([type, path]) => ({ href: `${rootUrl}${path}`, type }))
  return JSON.stringify({
    linkset: [{ anchor, 'service-desc': links(documents), 'service-doc': links(pages) }],
  })
}
