// Swagger UI's own page at /docs/swagger, for readers who know it, with the same document.
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { AddressOf } from './address.ts'
import type { Formats } from './formats.ts'
import { lazy } from './static/memoize.ts'
import { resource, send } from './static/resource.ts'
import { policyOf } from './static/site.ts'
import { swaggerJson } from './swagger-document.ts'

/** The digest of the one style element that its bundle adds. */
const ownStyle = 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='

interface SwaggerUiOptions {
  /** Where the page is: `/docs/swagger`. */
  path: string
  title: string
  logo: URL
  /** Of the page. */
  script: string
  /** Those that the page may call. */
  origins(): readonly string[]
  formats(): Formats
  addressOf: AddressOf
}

export async function serveSwaggerUi(app: FastifyInstance, options: SwaggerUiOptions) {
  const { path, title, logo, script, origins, formats, addressOf } = options
  // It draws its icons from data: URLs.
  const policyWith = (called: readonly string[]) =>
    policyOf({ 'style-src': [`'${ownStyle}'`], 'img-src': ['data:'], 'connect-src': called })
  const documents = lazy(
    (): Record<string, Formats['json']> => ({
      [`${app.prefix}${path}/json`]: formats().changed(swaggerJson),
      [`${app.prefix}${path}/yaml`]: formats().yaml,
    }),
  )
  const add = swaggerUi as unknown as (app: FastifyInstance, options: FastifySwaggerUiOptions) => Promise<void>
  const uiOptions: FastifySwaggerUiOptions = {
    routePrefix: path,
    logo: { type: logo.pathname.endsWith('.png') ? 'image/png' : 'image/svg+xml', content: await readFile(logo) },
    theme: { title: `${title}: Swagger UI`, js: [{ filename: 'page.js', content: script }] },
    uiHooks: {
      onRequest: async (request, reply) => {
        reply.header('content-security-policy', policyWith(origins()))
        const [url] = request.url.split('?', 1)
        const document = documents()[url as string]
        if (document) return send(reply.header('cache-control', 'no-cache'), document(addressOf(request, reply)))
        // The links of the page are relative to an address with a slash.
        if (url !== `${app.prefix}${path}`) return undefined
        return reply.redirect(`${addressOf(request, reply).prefix}${url}/`)
      },
    },
  }
  const files = await readFiles()
  await app.register(async (inner) => {
    for (const { name, file } of files) {
      inner.get(`${path}/static/${name}`, (_request, reply) => send(reply.header('cache-control', 'no-cache'), file()))
    }
    // The app's own may have another document, and the plugin wants one, unless it is called like this.
    inner.decorate('swagger', (() => ({})) as never)
    await add(inner, uiOptions)
  })
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.png': 'image/png',
}

/** What its page loads. @fastify/static would read each file at each request, also after an upgrade has replaced it. */
async function readFiles() {
  const folder = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))
  const names = (await readdir(folder)).filter((name) => types[extname(name)] && name !== 'index.html')
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(new URL(name, folder))
      return { name, file: lazy(() => resource(String(types[extname(name)]), bytes)) }
    }),
  )
}
