// The documentation: Swagger UI at /docs, and the OpenAPI document as the server uses it.
import { compile } from '@fastify/proxy-addr'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { stringify } from 'yaml'
import type { Document } from '../spec/document.ts'
import { loadDocsAssets } from './docs/assets.ts'
import { contentSecurityPolicy, pageOf } from './docs/page.ts'
import { once } from './static/once.ts'
import { type Resource, resource, send } from './static/resource.ts'
import { serveSite } from './static/site.ts'

export interface DocsOptions {
  document: Document
  /** Addresses of proxies whose X-Forwarded-Prefix is trusted. */
  trustProxy: string[]
}

async function docs(app: FastifyInstance, { document, trustProxy }: DocsOptions) {
  const isTrusted = compile(trustProxy)
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

  await app.register(swagger, { mode: 'static', specification: { document } })
  serveSite(app, {
    path: '/docs',
    contentSecurityPolicy: contentSecurityPolicy(document),
    load: loadDocsAssets,
    page: (assets, root) => pageOf(document, assets, root),
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
    yaml: once(() => resource('application/yaml', stringify(document, { compat: 'yaml-1.1' }))),
  }
}

/** The document with its own relative server under `prefix`. */
function below(prefix: string, document: Document): Document {
  const servers = document.servers?.map((server) =>
    server.url.startsWith('/') ? { ...server, url: `${prefix}${server.url}` } : server,
  )
  return { ...document, ...(servers && { servers }) }
}

export default fp(docs, { name: 'docs' })
