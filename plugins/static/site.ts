// Pages and their files: a page is revalidated on each load, the files are cached indefinitely.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from './assets.ts'
import { once } from './once.ts'
import { type Resource, send } from './resource.ts'

export interface Site {
  /** The files are at `<path>/static/<version>/<name>`. */
  path: string
  contentSecurityPolicy: string
  load(): Promise<Assets>
  /** By path; each is served with and without a trailing slash. */
  pages: Record<string, Page>
}

/** Called for every request. It may add headers to the reply. */
export type Page = (assets: Assets, visit: Visit) => Resource | Promise<Resource>

export interface Visit {
  /** Leads from the page to the root of the server: links are relative, so that it works below every prefix. */
  root: string
  request: FastifyRequest
  reply: FastifyReply
}

/** Adds the routes of the pages, and `<path>/static/*`. */
export function serveSite(app: FastifyInstance, { path, contentSecurityPolicy, load, pages }: Site) {
  const assets = once(load)
  const both = Object.entries(pages).flatMap(([url, page]) => [
    { url, page },
    { url: `${url}/`, page },
  ])
  for (const { url, page } of both) {
    const root = rootOf(url)
    app.get(url, async (request, reply) => {
      reply.headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
      return send(reply, await page(await assets(), { root, request, reply }))
    })
  }
  app.get(`${path}/static/*`, async ({ params }, reply) => {
    const file = fileIn(await assets(), String((params as Record<string, string>)['*']))
    if (!file) return reply.callNotFound()
    return send(reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
}

/** Leads from a path to the root of the server. */
export function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 2) || './'
}

function fileIn({ version, files }: Assets, path: string): Resource | undefined {
  const [folder, name = '', ...rest] = path.split('/')
  return folder === version && rest.length === 0 ? files.get(name) : undefined
}
