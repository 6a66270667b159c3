// Pages and their files. A page carries its styles and scripts, and asks for images and fonts alone: while a new version is
// rolled out, its next request may meet the other one. Browsers revalidate a page on each load and cache the files.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { preferredType } from 'http-edge/negotiation'
import { lazy, memoize } from './memoize.ts'
import { digest, type Resource, resource, send } from './resource.ts'
import { scriptOf } from './script.ts'

interface SiteOptions {
  /** The files are at `<path>/static/<digest>/<name>`. */
  path: string
  /** What pages may load from elsewhere, by directive of their Content-Security-Policy. */
  sources?(): Readonly<Record<string, readonly string[]>>
  load(): Promise<Assets>
  /** By path; each is served with and without a trailing slash. */
  pages: Record<string, PageAt>
  /** Pages below the path of the site that are not known at the start. */
  pageAt?(path: string): PageAt | undefined
  /** For browsers, where there is no page. */
  missing?(assets: Assets, visit: Visit): string
}

export interface Assets {
  files: ReadonlyMap<string, Resource & { digest: string }>
  /** The path of a file, below that of the site. */
  pathOf(name: string): string
  /** What a page carries. @param site leads from the page to the path of the site */
  carriedAt(site: string): Carried
}

/** The elements of a page, and the digests by which its policy allows them. */
interface Carried {
  style: Element
  /** Runs before the first paint. */
  first: Element
  /** Runs when the page has been read. */
  script: Element
  sources: Readonly<Record<'script-src' | 'style-src', readonly string[]>>
}

interface Element {
  html: string
}

/** Called for every request. It may add headers to the reply. */
export type PageAt = (assets: Assets, visit: Visit) => Resource | Promise<Resource>

interface Visit {
  /** Leads from the page to the root of the server: relative links work below every prefix. */
  root: string
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Adds the routes of the pages, and `<path>/static/*`. All files are read before the app is ready: an upgrade may replace or
 * delete them while the server runs.
 */
export function serveSite(app: FastifyInstance, { path, sources, load, pages, pageAt, missing }: SiteOptions) {
  const assets = lazy(load)
  app.addHook('onReady', async () => void (await assets()))
  const prepared = async (reply: FastifyReply, root: string) => {
    const loaded = await assets()
    const policy = policyOf(sources?.(), loaded.carriedAt(siteAt(root, path)).sources)
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
    return loaded
  }
  const routes = Object.entries(pages).flatMap(([url, page]) => [
    { url, page },
    { url: `${url}/`, page },
  ])
  for (const { url, page } of routes) {
    const root = rootOf(url)
    app.get(url, async (request, reply) =>
      send(reply, await page(await prepared(reply, root), { root, request, reply })),
    )
  }
  if (missing) {
    app.get<{ Params: { '*': string } }>(`${path}/*`, async (request, reply) => {
      const root = rootOf(request.url.split('?', 1).join().slice(app.prefix.length))
      const visit = { root, request, reply }
      const page = pageAt?.(`${path}/${request.params['*'].replace(/\/$/, '')}`)
      if (page) return send(reply, await page(await prepared(reply, root), visit))
      if (preferredType(request.headers, ['application/json', 'text/html']) !== 'text/html') return reply.callNotFound()
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .send(missing(await prepared(reply, root), visit))
    })
  }
  app.get(`${path}/static/:digest/:name`, async ({ params }, reply) => {
    const { digest, name } = params as Record<'digest' | 'name', string>
    const file = (await assets()).files.get(name)
    if (!file) return reply.callNotFound()
    // A page of another version gets this one's: they are images and fonts, which fit every page.
    return send(
      reply.header('cache-control', file.digest === digest ? 'public, max-age=31536000, immutable' : 'no-cache'),
      file,
    )
  })
}

const forbidden = ['default-src', 'base-uri', 'frame-ancestors', 'form-action']
const self = ["'self'"]

/**
 * Allows files of this server alone: nothing of another origin.
 * @param more sources by directive
 * @param carried the digests of what the page carries, in place of files
 */
export function policyOf(
  more: Readonly<Record<string, readonly string[]>> = {},
  carried: Carried['sources'] = { 'script-src': self, 'style-src': self },
): string {
  const allowed = { ...carried, 'img-src': self, 'font-src': self, 'connect-src': self }
  const directives = [
    ...forbidden.map((name) => `${name} 'none'`),
    ...Object.entries(allowed).map(([name, sources]) => [name, ...sources, ...(more[name] ?? [])].join(' ')),
  ]
  return directives.join('; ')
}

/** Leads from a page to the path of its site. */
export const siteAt = (root: string, path: string) => `${root}${path.slice(1)}`

/** Leads from a path to the root of the server. */
export function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 2) || './'
}

const types: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

interface Parts {
  /** Files: scripts and styles, which pages carry, and images and fonts. */
  urls: readonly URL[]
  /** The names of styles, in their order. */
  styles: readonly string[]
  /** More files, by their names. */
  texts?: Readonly<Record<string, string>>
}

/** The scripts `color-scheme.js` and `start.js` run; the others are modules that they import. */
export async function loadAssets({ urls, styles, texts: added = {} }: Parts): Promise<Assets> {
  const texts = new Map(Object.entries(added))
  const files = new Map<string, Resource & { digest: string }>()
  for (const url of urls) {
    const bytes = await readFile(url)
    const type = types[extname(nameOf(url))]
    if (type) files.set(nameOf(url), { ...resource(type, bytes), digest: digest(bytes) })
    else if (!texts.has(nameOf(url))) texts.set(nameOf(url), String(bytes))
  }
  const pathOf = (name: string) => `static/${files.get(name)?.digest}/${name}`
  const style = styles.map((name) => dense(String(texts.get(name)))).join('')
  const first = String(texts.get('color-scheme.js'))
  const script = scriptOf('start.js', texts)
  return {
    files,
    pathOf,
    carriedAt: memoize((site) => {
      const placed = style.replace(/url\("([\w.-]+)"\)/g, (_, name) => `url("${site}/${pathOf(name)}")`)
      return {
        style: { html: `<style>${placed}</style>` },
        first: { html: `<script>${first}</script>` },
        script: { html: `<script type="module">${script}</script>` },
        sources: { 'script-src': [first, script].map(sourceOf), 'style-src': [sourceOf(placed)] },
      }
    }),
  }
}

/** A style sheet without comments and needless spaces. */
const dense = (style: string) =>
  style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?|(:) /g, '$1$2')

/** How a policy names the content of an element. */
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The name under which a file is served. */
export function nameOf({ pathname }: URL): string {
  return basename(pathname)
}

/** The files that all pages share. The folder is found through one of them: Node does not resolve folders. */
export const shared = new URL('./', import.meta.resolve('#browser/shared/base.css'))

/** The files in a folder that browsers load, sorted by name. */
export async function assetsIn(folder: URL): Promise<URL[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => /\.(js|css|svg|png|woff2)$/.test(name))
    .sort()
    .map((name) => new URL(name, folder))
}
