// The documentation: Swagger UI at /docs, from the very document that the server runs by.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Document } from '../spec/document.ts'

export interface DocsOptions {
  document: Document
}

async function docs(app: FastifyInstance, { document }: DocsOptions) {
  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy(document),
    theme: { title: document.info.title },
    uiConfig: { deepLinking: true },
  })
  const json = JSON.stringify(document, null, 2)
  const yaml = app.swagger({ yaml: true })

  app.get('/', (_request, reply) => reply.redirect('/docs'))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(json))
  app.get('/openapi.yaml', (_request, reply) => reply.type('application/yaml').send(yaml))
}

/** Only what the page itself needs; the hash is that of an inline style of Swagger UI. */
function contentSecurityPolicy({ servers = [] }: Document): string {
  const origins = servers.filter(({ url }) => URL.canParse(url)).map(({ url }) => new URL(url).origin)
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "script-src 'self'",
    "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...origins].join(' '),
  ].join('; ')
}

export default fp(docs, { name: 'docs' })
