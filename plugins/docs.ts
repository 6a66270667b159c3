// The documentation: Swagger UI at /docs, and the document itself, as the server runs by it.
import { compile } from '@fastify/proxy-addr'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { stringify } from 'yaml'
import type { Document } from '../spec/document.ts'
import { loadAssets } from './docs/assets.ts'
import { contentSecurityPolicy, pageOf } from './docs/page.ts'
import { type Resource, resource, send } from './docs/resource.ts'

export interface DocsOptions {
  document: Document
  /** Addresses of proxies whose X-Forwarded-Prefix counts. */
  trustProxy: string[]
}

async function docs(app: FastifyInstance, { document, trustProxy }: DocsOptions) {
  const policy = contentSecurityPolicy(document)
  const isTrusted = compile(trustProxy)
  const assets = once(loadAssets)
  // Links on the page are relative, so it is the same below every prefix.
  const pages: Record<string, () => Promise<Resource>> = {
    '/docs': once(async () => pageOf(document, await assets(), './')),
    '/docs/': once(async () => pageOf(document, await assets(), '../')),
  }
  const forms = once(() => formsOf(document))

  /** The path below which a trusted proxy serves this server, or ''. */
  function prefixOf({ headers, raw }: FastifyRequest): string {
    const prefix = String(headers['x-forwarded-prefix'] ?? '').replace(/\/$/, '')
    return /^(\/[\w.~-]+)+$/.test(prefix) && isTrusted(String(raw.socket.remoteAddress), 0) ? prefix : ''
  }

  function sendForm(form: 'json' | 'yaml') {
    return (request: FastifyRequest, reply: FastifyReply) => {
      const prefix = prefixOf(request)
      const { [form]: body } = prefix ? formsOf(below(prefix, document)) : forms()
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag, x-request-id' })
      return send(reply.header('cache-control', 'no-cache'), body())
    }
  }

  /** The page and its files, versioned and compressed, in place of @fastify/swagger-ui's plain ones. */
  async function answer({ url, params }: FastifyRequest, reply: FastifyReply) {
    const page = pages[url.replace(/\?.*/s, '')]
    if (page) {
      reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      return send(reply, await page())
    }
    const { version, files } = await assets()
    const [folder, name = '', ...rest] = String((params as Record<string, string>)['*']).split('/')
    const file = folder === version && rest.length === 0 ? files.get(name) : undefined
    return file && send(reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  }

  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(async (site) => {
    site.addHook('onRequest', answer)
    await site.register(swaggerUi, { routePrefix: '/docs' })
  })
  app.get('/', (request, reply) => reply.redirect(`${prefixOf(request)}/docs`))
  app.get('/openapi.json', sendForm('json'))
  app.get('/openapi.yaml', sendForm('yaml'))
}

interface Forms {
  json(): Resource
  yaml(): Resource
}

function formsOf(document: Document): Forms {
  return {
    json: once(() => resource('application/json; charset=utf-8', JSON.stringify(document, null, 2))),
    yaml: once(() => resource('application/yaml', stringify(document))),
  }
}

/** The document with its own relative server below `prefix`. */
function below(prefix: string, document: Document): Document {
  const servers = document.servers?.map((server) =>
    server.url.startsWith('/') ? { ...server, url: `${prefix}${server.url}` } : server,
  )
  return { ...document, ...(servers && { servers }) }
}

/** Starting costs nothing of what only readers need. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

export default fp(docs, { name: 'docs' })
