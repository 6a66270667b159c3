// What crawlers and agents ask for: robots.txt, sitemap.xml, llms.txt and the API catalog. Each is for the canonical copy
// of the documentation, or else for the host of the request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../reference/html/markup.ts'
import { llmsText } from '../../reference/markdown/llms.ts'
import type { Reference } from '../../reference/tree.ts'
import type { Document } from '../../spec/document.ts'
import { baseUrlOf, exampleServer } from '../../spec/document.ts'
import { resource, send } from '../static/resource.ts'
import { canonicalOrigin } from './links.ts'
import type { PrefixOf } from './prefix.ts'

export interface Discovery {
  document: Document
  reference(): Reference
  prefixOf: PrefixOf
  isApiAtDomains: boolean
}

export function serveDiscovery(app: FastifyInstance, { document, reference, prefixOf, isApiAtDomains }: Discovery) {
  const texts: Record<string, { type: string; textOf(root: string, isApiServed: boolean): string }> = {
    '/robots.txt': { type: 'text/plain; charset=utf-8', textOf: robots },
    '/sitemap.xml': { type: 'application/xml', textOf: sitemap },
    '/llms.txt': { type: 'text/plain; charset=utf-8', textOf: (root) => llmsText(reference(), root) },
    '/.well-known/api-catalog': {
      type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      textOf: (root, isApiServed) => catalog(root, baseUrlOf(document, isApiServed ? root : '')),
    },
  }
  for (const [path, { type, textOf }] of Object.entries(texts)) {
    app.get(path, (request, reply) => {
      reply.header('cache-control', 'no-cache')
      if (path.endsWith('api-catalog')) reply.header('link', `<${path}>; rel="api-catalog"`) // RFC 9727, section 3
      const isApiServed = isApiAtDomains || canonicalOrigin(reply) === ''
      return send(reply, resource(type, textOf(rootOf(request, reply), isApiServed)))
    })
  }

  function rootOf(request: FastifyRequest, reply: FastifyReply): string {
    const own = `${request.protocol}://${request.host}`
    return canonicalOrigin(reply) || `${URL.canParse(own) ? new URL(own).origin : ''}${prefixOf(request)}`
  }
}

/** The API itself is not for crawlers. */
function robots(root: string): string {
  return `User-agent: *\nDisallow: /v1/\n\nSitemap: ${root}/sitemap.xml\n`
}

function sitemap(root: string): string {
  const urls = ['/docs', '/docs/changelog'].map((path) => html`  <url><loc>${root}${path}</loc></url>\n`)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.html
}

/** RFC 9264, with the relations of RFC 8631. Where the address of the API is not known, they are those of the site. */
function catalog(root: string, baseUrl: string): string {
  const anchor = baseUrl === exampleServer ? `${root}/` : baseUrl
  const documents = { 'application/json': '/openapi.json', 'application/yaml': '/openapi.yaml' }
  const pages = { 'text/html': '/docs', 'text/markdown': '/docs.md' }
  const links = (paths: Record<string, string>) =>
    Object.entries(paths).map(([type, path]) => ({ href: `${root}${path}`, type }))
  return JSON.stringify({
    linkset: [{ anchor, 'service-desc': links(documents), 'service-doc': links(pages) }],
  })
}
