// The documentation: the reference as HTML at /docs and as Markdown, and the OpenAPI document as the server uses it.
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { preferredType, varying } from '../http/negotiate.ts'
import { readReference } from '../reference/read.ts'
import type { Document } from '../spec/document.ts'
import { loadDocsAssets } from './docs/assets.ts'
import { serveDiscovery } from './docs/discovery.ts'
import { below, formsOf } from './docs/forms.ts'
import { canonicalOrigin, linksOf } from './docs/links.ts'
import { contentSecurityPolicy } from './docs/page.ts'
import { trustedPrefix } from './docs/prefix.ts'
import { type Renditions, renditionsOf } from './docs/renditions.ts'
import { once } from './static/once.ts'
import { send } from './static/resource.ts'
import { type Page, rootOf, serveSite } from './static/site.ts'

export interface DocsOptions {
  document: Document
  /** Addresses of proxies whose X-Forwarded-Prefix is trusted. */
  trustProxy: string[]
  /** Whether the API is served at custom domains, too. */
  isApiAtDomains: boolean
}

async function docs(app: FastifyInstance, { document, trustProxy, isApiAtDomains }: DocsOptions) {
  const prefixOf = trustedPrefix(trustProxy)
  const forms = once(() => formsOf(document))
  const reference = once(() => readReference(document))
  const renditions = renditionsOf(document, reference, isApiAtDomains)

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
    pages: Object.fromEntries(Object.entries(renditions).map(([path, page]) => [path, pageOf(path, page)])),
  })
  app.get('/', (request, reply) => reply.redirect(`${prefixOf(request)}/docs`))
  app.get('/openapi.json', sendForm('json'))
  app.get('/openapi.yaml', sendForm('yaml'))
  for (const [path, { markdown }] of Object.entries(renditions)) {
    for (const url of [`${path}.md`, ...(path === '/docs' ? ['/llms-full.txt'] : [])]) {
      app.get(url, (_request, reply) => {
        const origin = canonicalOrigin(reply)
        reply.headers({ 'cache-control': 'no-cache', link: linksOf(path, rootOf(url), origin) })
        return send(reply, markdown(origin))
      })
    }
  }
  serveDiscovery(app, { document, reference, prefixOf, isApiAtDomains })
}

/** The page as HTML, or as Markdown for a client that prefers it. */
function pageOf(path: string, { html, markdown }: Renditions): Page {
  return (assets, { root, request, reply }) => {
    const origin = canonicalOrigin(reply)
    reply.headers({ vary: varying(reply.getHeader('vary'), 'Accept'), link: linksOf(path, root, origin) })
    const type = preferredType(request.headers, ['text/html', 'text/markdown'])
    return type === 'text/markdown' ? markdown(origin) : html({ assets, root, origin })
  }
}

export default fp(docs, { name: 'docs' })
