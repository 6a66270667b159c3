// Pages and their files. Browsers revalidate a page on each load and cache the files indefinitely.
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { preferredType } from 'http-edge'
import { lazy } from './memoize.ts'
import { digest, type Resource, resource, send } from './resource.ts'

interface SiteOptions {
  /** The files are at `<path>/static/<version>/<name>`. */
  path: string
  contentSecurityPolicy: string
  load(): Promise<Assets>
  /** By path; each is served with and without a trailing slash. */
  pages: Record<string, PageAt>
  /** For browsers, where there is no page. */
  missing?(assets: Assets, visit: Visit): string
}

export interface Assets {
  /** Part of every file's URL. It changes with any file, so all can be cached indefinitely. */
  version: string
  files: ReadonlyMap<string, Resource>
}

/** Called for every request. It may add headers to the reply. */
export type PageAt = (assets: Assets, visit: Visit) => Resource | Promise<Resource>

interface Visit {
  /** Leads from the page to the root of the server: relative links work below every prefix. */
  root: string
  request: FastifyRequest
  reply: FastifyReply
}

/** Adds the routes of the pages, and `<path>/static/*`. */
export function serveSite(app: FastifyInstance, { path, contentSecurityPolicy, load, pages, missing }: SiteOptions) {
  const assets = lazy(load)
  const routes = Object.entries(pages).flatMap(([url, page]) => [
    { url, page },
    { url: `${url}/`, page },
  ])
  for (const { url, page } of routes) {
    const root = rootOf(url)
    app.get(url, async (request, reply) => {
      reply.headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
      return send(reply, await page(await assets(), { root, request, reply }))
    })
  }
  if (missing) {
    app.get(`${path}/*`, async (request, reply) => {
      if (preferredType(request.headers, ['application/json', 'text/html']) !== 'text/html') return reply.callNotFound()
      const root = rootOf(request.url.split('?', 1).join())
      reply.headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .send(missing(await assets(), { root, request, reply }))
    })
  }
  app.get(`${path}/static/*`, async ({ params }, reply) => {
    const file = fileIn(await assets(), String((params as Record<string, string>)['*']))
    if (!file) return reply.callNotFound()
    return send(reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
}

const forbidden = ['default-src', 'base-uri', 'frame-ancestors', 'form-action']
const ownOnly = ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src']

/** Allows files of this server alone: no inline script, nothing of another origin. @param more sources by directive */
export function policyOf(more: Readonly<Record<string, readonly string[]>> = {}): string {
  const directives = [
    ...forbidden.map((name) => `${name} 'none'`),
    ...ownOnly.map((name) => [name, "'self'", ...(more[name] ?? [])].join(' ')),
  ]
  return directives.join('; ')
}

/** Leads from a path to the root of the server. */
export function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 2) || './'
}

function fileIn({ version, files }: Assets, path: string): Resource | undefined {
  const [folder, name = '', ...rest] = path.split('/')
  return folder === version && rest.length === 0 ? files.get(name) : undefined
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Each bundle is one more file, of the named files joined. @param texts files that are not on the disk */
export async function loadAssets(
  urls: readonly URL[],
  bundles: Record<string, readonly string[]> = {},
  texts: Record<string, string> = {},
): Promise<Assets> {
  const files = new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]))
  for (const url of urls) files.set(nameOf(url), await readFile(url))
  for (const [name, parts] of Object.entries(bundles)) {
    files.set(name, Buffer.concat(parts.map((part) => files.get(part) as Buffer)))
  }
  return {
    version: digest(...files.values()),
    files: new Map([...files].map(([name, bytes]) => [name, resource(String(types[extname(name)]), bytes)])),
  }
}

/** The name under which a file is served. */
export function nameOf({ pathname }: URL): string {
  return basename(pathname)
}

/** The fonts that browser/shared/base.css names. */
export function fonts(): URL[] {
  return [
    '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
    '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  ].map((name) => new URL(import.meta.resolve(name)))
}

/** The files that all pages share. The folder is found through one of them: Node does not resolve folders. */
export const shared = new URL('./', import.meta.resolve('#browser/shared/base.css'))

/** The files in a folder that browsers load, sorted by name. */
export async function assetsIn(folder: URL): Promise<URL[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => extname(name) in types)
    .sort()
    .map((name) => new URL(name, folder))
}
