// For crawlers and agents: robots.txt, sitemap.xml, llms.txt, the whole reference as one text, and the API catalog. Each names
// the canonical copy of the documentation, or else the host of the request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Address, type AddressOf, linksOf } from './address.ts'
import { atAddresses } from './at-addresses.ts'
import { escapeHtml, html } from './reference/html/markup.ts'
import { llmsText } from './reference/markdown.ts'
import type { Reference } from './reference/tree.ts'
import { exampleRoot, exampleServer } from './server.ts'
import { type Copies, type Resource, send } from './static/resource.ts'

interface DiscoveryOptions {
  reference(): Reference
  /** All of it as Markdown. */
  whole(address: Address): Resource
  /** Paths. */
  pages(): readonly string[]
  /** The path of the document, without its extension. */
  document: string
  server(): string
  hasChangelog: boolean
  addressOf: AddressOf
  copiesOf: Copies
}

interface Text {
  type: string
  /** With placeholders for addresses. */
  textOf(isApiKnown: boolean): string
  /** How an address is written within. */
  written?(url: string): string
}

/** Paths of the files. One with a parameter gives way to the app's own, whether that is added before or after. */
const paths = {
  'robots.txt': '/robots.:extension(^txt$)',
  'sitemap.xml': '/sitemap.:extension(^xml$)',
  'llms.txt': '/llms.:extension(^txt$)',
  'llms-full.txt': '/llms-full.:extension(^txt$)',
  'api-catalog': '/.well-known/api-:file(^catalog$)',
}

type File = keyof typeof paths

export function serveDiscovery(app: FastifyInstance, options: DiscoveryOptions) {
  const { reference, whole, pages, document, server, hasChangelog, addressOf, copiesOf } = options
  const files: Record<File, (address: Address) => Resource> = {
    'robots.txt': resourceOf(copiesOf, { type: 'text/plain; charset=utf-8', textOf: () => robots(server()) }),
    'sitemap.xml': resourceOf(copiesOf, {
      type: 'application/xml',
      textOf: () => sitemap(pages()),
      written: escapeHtml,
    }),
    'llms.txt': resourceOf(copiesOf, {
      type: 'text/plain; charset=utf-8',
      textOf: () => llmsText(reference(), exampleRoot, hasChangelog, document),
    }),
    'llms-full.txt': whole,
    'api-catalog': resourceOf(copiesOf, {
      type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      textOf: (isApiKnown) => catalog(isApiKnown, String(pages()[0]), document),
      written: (url) => JSON.stringify(url).slice(1, -1),
    }),
  }
  const serve = (file: File) => (request: FastifyRequest, reply: FastifyReply) => {
    const address = addressOf(request, reply)
    reply.header('cache-control', 'no-cache')
    if (file === 'api-catalog') reply.header('link', '<api-catalog>; rel="api-catalog"') // itself: RFC 9727, section 3
    if (file === 'llms-full.txt') reply.header('link', linksOf(String(pages()[0]), './', address.canonical, document))
    return send(reply, files[file](address))
  }
  for (const [file, path] of Object.entries(paths) as [File, string][]) {
    // Those of another reference stay.
    if (!app.hasRoute({ method: 'GET', url: `${app.prefix}${path}` })) app.get(path, serve(file))
  }
}

function resourceOf(copiesOf: Copies, { type, textOf, written }: Text): (address: Address) => Resource {
  const textAt = atAddresses(copiesOf(type), textOf, { written })
  return (address) => textAt(`${address.isApiKnown}`, address.isApiKnown, address)
}

/** The API itself is not for crawlers, if it has a path of its own here. */
function robots(server: string): string {
  const isApart = server.startsWith('/')
  return `User-agent: *\nDisallow:${isApart ? ` ${server}/` : ''}\n\nSitemap: ${exampleRoot}/sitemap.xml\n`
}

function sitemap(pages: readonly string[]): string {
  const urls = pages.map((path) => html`  <url><loc>${exampleRoot}${path}</loc></url>\n`)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.html
}

/** RFC 9264, with the relations of RFC 8631. Where the address of the API is unknown, the anchor is the root. */
function catalog(isApiKnown: boolean, first: string, document: string): string {
  const documents = { 'application/json': `/${document}.json`, 'application/yaml': `/${document}.yaml` }
  const pages = { 'text/html': first, 'text/markdown': `${first}.md` }
  const links = (paths: Record<string, string>) =>
    Object.entries(paths).map(([type, path]) => ({ href: `${exampleRoot}${path}`, type }))
  const anchor = isApiKnown ? exampleServer : `${exampleRoot}/`
  return JSON.stringify({
    linkset: [{ anchor, 'service-desc': links(documents), 'service-doc': links(pages) }],
  })
}
