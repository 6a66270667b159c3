// A page and its files: the page is revalidated on each load, its files are cached indefinitely.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from './assets.ts'
import { once } from './once.ts'
import { type Resource, send } from './resource.ts'

export interface Site {
  /** The path of the page, with or without a trailing slash. Its files are at `<path>/static/<version>/<name>`. */
  path: string
  contentSecurityPolicy: string
  load(): Promise<Assets>
  /** `root` leads from the page to the root of the server: links are relative, so that it works below every prefix. */
  page(assets: Assets, root: string): Resource | Promise<Resource>
}

/** Adds the routes `<path>`, `<path>/` and `<path>/static/*`. */
export function serveSite(app: FastifyInstance, site: Site) {
  const answer = answerFrom(site)
  for (const url of [site.path, `${site.path}/`, `${site.path}/static/*`]) {
    app.get(url, async (request, reply) => (await answer(request, reply)) ?? reply.callNotFound())
  }
}

/** The returned handler resolves to undefined if there is no such file. */
function answerFrom({ path, contentSecurityPolicy, load, page }: Site) {
  const assets = once(load)
  const pages: Record<string, () => Promise<Resource>> = {
    [path]: once(async () => page(await assets(), './')),
    [`${path}/`]: once(async () => page(await assets(), '../')),
  }

  return async ({ url, params }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const shown = pages[url.replace(/\?.*/s, '')]
    if (shown) {
      reply.headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
      return send(reply, await shown())
    }
    const { version, files } = await assets()
    const [folder, name = '', ...rest] = String((params as Record<string, string>)['*']).split('/')
    const file = folder === version && rest.length === 0 ? files.get(name) : undefined
    return file && send(reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  }
}
