// Publishes the API reference of each customer under domains of theirs. Run as many instances as you like.
import { readdirSync } from 'node:fs'
import { join, parse } from 'node:path'
import process from 'node:process'
import { customDomains, DomainError } from 'custom-domains'
import { createTables, postgresStorage } from 'custom-domains/postgres'
import { loadDocument } from 'exact-openapi'
import Fastify, { type FastifyInstance } from 'fastify'
import { openapiPages } from 'openapi-pages'
import pg from 'pg'

const { DATABASE_URL, ENCRYPTION_KEY = '', TARGET = '', ACME_DIRECTORY_URL = '', DNS_SERVERS } = process.env
const { DOCUMENTS = 'documents', HTTP_PORT = 80, HTTPS_PORT = 443, ADMIN_PORT = 3000 } = process.env

// Each customer has an OpenAPI document: documents/NAME.yaml.
const references = new Map<string, FastifyInstance>()
for (const file of readdirSync(DOCUMENTS)) {
  const reference = Fastify()
  await reference.register(openapiPages, { document: loadDocument(join(DOCUMENTS, file)) })
  await reference.ready()
  references.set(parse(file).name, reference)
}

const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 5_000 })
pool.on('error', console.error)
await createTables(pool)
const domains = await customDomains({
  storage: postgresStorage(pool, { encryptionKeys: [Buffer.from(ENCRYPTION_KEY, 'hex')] }),
  target: TARGET,
  authorities: [{ directoryUrl: ACME_DIRECTORY_URL }],
  allow: async (_host, owner = '') => references.has(owner),
  ...(DNS_SERVERS && { dnsServers: DNS_SERVERS.split(',') }),
})

const withoutPort = (header = '') => header.replace(/:\d+$/, '')
await domains.listen(
  (request, response) => {
    const owner = domains.find(withoutPort(request.headers.host))?.owner ?? ''
    references.get(owner)?.routing(request, response)
  },
  { http: Number(HTTP_PORT), https: Number(HTTPS_PORT) },
)

// What your dashboard calls. A customer changes no domain of another one, but may claim one that is not proven.
type Call = { Params: { owner: string; host: string }; Querystring: { to?: string } }
const admin = Fastify()
admin.get<Call>('/:owner', async ({ params }) => domains.list(params).domains)
admin.put<Call>('/:owner/:host', ({ params: { host, owner } }) => domains.add(host, { owner, isProofRequired: true }))
await admin.register(async (owned) => {
  owned.addHook<Call>('preHandler', async ({ params: { owner, host } }) => {
    if (domains.find(host)?.owner !== owner) throw new DomainError('domain_not_found')
  })
  owned.post<Call>('/:owner/:host/verify', ({ params }) => domains.verify(params.host))
  owned.put<Call>('/:owner/:host/redirect', ({ params, query }) => domains.redirect(params.host, query.to ?? false))
  owned.delete<Call>('/:owner/:host', ({ params }) => domains.remove(params.host))
})
await admin.listen({ port: Number(ADMIN_PORT) })
