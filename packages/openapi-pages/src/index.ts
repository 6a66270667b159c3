// The documentation: the reference as HTML at /docs and as Markdown, Swagger UI at /docs/swagger, and the OpenAPI
// document. @fastify/swagger holds it for all of them.
import swagger from '@fastify/swagger'
import { type Document, modelOf } from 'exact-openapi'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { preferredType, varying } from 'http-edge'
import { type AddressOptions, addressesOf, linksOf, serverOf } from './address.ts'
import { moreLanguages, samplesIn, withSamples } from './code-samples/index.ts'
import { serveDiscovery } from './discovery.ts'
import { formatsOf } from './formats.ts'
import { type Changelog, changelogPath, type Page, pagesOf, styles } from './page.ts'
import { partPaths } from './reference/paths.ts'
import { readReference } from './reference/read.ts'
import { lazy } from './static/memoize.ts'
import { copies, send } from './static/resource.ts'
import {
  type Assets,
  assetsIn,
  fonts,
  loadAssets,
  type PageAt,
  policyOf,
  rootOf,
  serveSite,
  shared,
} from './static/site.ts'
import { serveSwaggerUi } from './swagger-ui.ts'

export { exampleRequest, targetOf } from './example-request.ts'
export { exampleServer } from './server.ts'

export interface PagesOptions extends AddressOptions {
  document: Document
  /** Without it, there is no page of changes. */
  changelog?: Changelog
  /** Headers of responses that pages of other origins may read, beside ETag. */
  exposedHeaders?: readonly string[]
}

async function pages(app: FastifyInstance, { document: given, changelog, ...options }: PagesOptions) {
  await app.register(swagger, { mode: 'static', specification: { document: withSamples(given) as never } })
  const document = app.swagger() as unknown as Document
  const addressOf = addressesOf(given, options) // given has been read; a start need not read the copy with samples, too
  const resourceOf = copies()
  const formats = formatsOf(document, resourceOf)
  const reference = lazy(() => readReference(document))
  const paths = partPaths(modelOf(given))
  const more = moreLanguages.map((language) => {
    const [lang, label] = language
    return { path: `/docs/samples/${lang}`, lang, label, samples: lazy(() => samplesIn(given, language)) }
  })
  const served = Object.entries(pagesOf(reference, paths, more, changelog, resourceOf))
  const exposed = ['etag', ...(options.exposedHeaders ?? [])].join(', ')
  const origins = originsOf(given)

  /** HTML, or Markdown for a client that prefers it. */
  const negotiated = (path: string, page: Page): PageAt => {
    return (assets, { root, request, reply }) => {
      const address = addressOf(request, reply)
      reply.headers({ vary: varying(reply.getHeader('vary'), 'Accept'), link: linksOf(path, root, address.canonical) })
      const type = preferredType(request.headers, ['text/html', 'text/markdown'])
      return type === 'text/markdown' ? page.markdown(address) : page.html({ assets, root, address })
    }
  }

  serveSite(app, {
    path: '/docs',
    contentSecurityPolicy: policyOf({ 'connect-src': origins }),
    load,
    pages: Object.fromEntries(served.map(([path, page]) => [path, negotiated(path, page)])),
  })
  for (const [path, page] of served) {
    for (const url of [`${path}.md`, ...(path === '/docs' ? ['/llms-full.txt'] : [])]) {
      app.get(url, (request, reply) => {
        const address = addressOf(request, reply)
        reply.headers({ 'cache-control': 'no-cache', link: linksOf(path, rootOf(url), address.canonical) })
        return send(reply, page.markdown(address))
      })
    }
  }
  await serveSwaggerUi(app, { title: modelOf(given).info.title, origins, formats, addressOf })
  for (const format of ['json', 'yaml'] as const) {
    app.get(`/openapi.${format}`, (request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed })
      return send(reply.header('cache-control', 'no-cache'), formats.resource(format, addressOf(request, reply)))
    })
  }
  app.get('/', (request, reply) => reply.redirect(`${addressOf(request, reply).prefix}/docs`))
  serveDiscovery(
    app,
    reference,
    [...paths, ...(changelog ? [changelogPath] : [])],
    serverOf(given),
    addressOf,
    resourceOf,
  )
}

/** The origins of the document's servers, which the pages may call. */
function originsOf(document: Document): string[] {
  const absolute = modelOf(document).servers.filter(({ url }) => URL.canParse(url))
  return [...new Set(absolute.map(({ url }) => new URL(url).origin))]
}

/** The files in browser/, the fonts, and the libraries that scripts load on demand. */
async function load(): Promise<Assets> {
  const libraries = ['@fastify/swagger-ui/static/swagger-ui-bundle.js', 'minisearch']
  const files = [...(await assetsIn(shared)), ...(await assetsIn(new URL('../', shared)))]
  const urls = [...libraries.map((name) => new URL(import.meta.resolve(name))), ...fonts(), ...files]
  const bundles = { 'docs.css': styles.map((name) => `${name}.css`), 'minisearch.js': ['index.js'] }
  return loadAssets(urls, bundles)
}

/** A Fastify plugin. */
export const openapiPages = fp(pages, { name: 'openapi-pages' })
