// The documentation: the reference as HTML at /docs and as Markdown, Swagger UI at /docs/swagger, and the OpenAPI
// document. @fastify/swagger holds it for all of them.
import swagger from '@fastify/swagger'
import type { Document } from 'exact-openapi'
import { modelOf, withServers } from 'exact-openapi/model'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { appendVary, preferredType } from 'http-edge/negotiation'
import { type AddressOptions, addressesOf, linksOf, serverOf } from './address.ts'
import { languagesOf, samplesIn, withSamples } from './code-samples/index.ts'
import { serveDiscovery } from './discovery.ts'
import { formatsOf } from './formats.ts'
import { type LooksOptions, themeOf } from './looks.ts'
import { type Changelog, missingPage, type Page, pagesOf, type Site, styles, wholePage } from './page.ts'
import type { Hidden } from './reference/html/place.ts'
import { partPaths } from './reference/paths.ts'
import { readReference } from './reference/read.ts'
import { urlsOf } from './reference/texts.ts'
import { serveOperations, serveScript } from './scripts.ts'
import { lazy } from './static/memoize.ts'
import { copies, send } from './static/resource.ts'
import { type Assets, assetsIn, loadAssets, nameOf, type PageAt, rootOf, serveSite, shared } from './static/site.ts'
import { serveSwaggerUi } from './swagger-ui.ts'

export { exampleRequest, targetOf } from './example-request.ts'
export { exampleServer } from './server.ts'

export interface PagesOptions extends AddressOptions, LooksOptions {
  document: Document
  /** Of the first page. Default: `/docs`. */
  path?: string
  /** The base URL of the API, in place of the document's servers. */
  server?: string
  /** Without it, there is no page of changes. */
  changelog?: Changelog
  /** Of the samples, by their labels, in their order: `['curl', 'PHP']`. Default: all. */
  languages?: readonly string[]
  /** What the pages do not offer. */
  hide?: readonly Hidden[]
  /** Headers of responses that pages of other origins may read, beside ETag. */
  exposedHeaders?: readonly string[]
}

async function pages(app: FastifyInstance, options: PagesOptions) {
  const { path: base = '/docs', server, changelog, picture, links = [], hide: hidden = [] } = options
  if (!/^(\/[\w.~-]+)+$/.test(base)) throw new Error(`path: ${base} is not a path such as /docs`)
  const given = server === undefined ? options.document : withServers(options.document, [{ url: server }])
  const hide = new Set(hidden)
  const hasSchemas = !hide.has('schemas')
  const logo = options.logo ?? new URL(import.meta.resolve('#browser/reference.svg'))
  const languages = languagesOf(options.languages)
  const sampled = withSamples(given, languages.shown)
  await app.register(swagger, { mode: 'static', specification: { document: sampled as never } })
  const document = app.swagger() as unknown as Document
  const addressOf = addressesOf(given, options) // given has been read; a start need not read the copy with samples, too
  const resourceOf = copies()
  const formats = formatsOf(document, resourceOf)
  const reference = lazy(() => readReference(document, { base, hasSchemas }))
  const paths = partPaths(modelOf(given), base, hasSchemas)
  const more = languages.more.map((language) => {
    const { lang, label } = language
    return { path: `${base}/samples/${lang}`, lang, label, samples: lazy(() => samplesIn(given, language)) }
  })
  const site: Site = {
    base,
    logo: nameOf(logo),
    picture: picture && nameOf(picture),
    links,
    more: hide.has('samples') ? [] : more,
    changelog,
    hide,
  }
  const served = Object.entries(pagesOf(reference, paths, site, resourceOf))
  const exposed = ['etag', ...(options.exposedHeaders ?? [])].join(', ')
  const origins = originsOf(given)

  /** HTML, or Markdown for a client that prefers it. */
  const negotiated = (path: string, page: Page): PageAt => {
    return (assets, { root, request, reply }) => {
      const address = addressOf(request, reply)
      reply.headers({
        vary: appendVary(reply.getHeader('vary'), 'Accept'),
        link: linksOf(path, root, address.canonical),
      })
      const type = preferredType(request.headers, ['text/html', 'text/markdown'])
      return type === 'text/markdown' ? page.markdown(address) : page.html({ assets, root, address })
    }
  }

  serveSite(app, {
    path: base,
    sources: { 'script-src': ["'self'"], 'connect-src': origins, 'img-src': imageOrigins(given) },
    load: lazy(() => load(themeOf(options.colors), [logo, ...(picture ? [picture] : [])])),
    pages: Object.fromEntries(served.map(([path, page]) => [path, negotiated(path, page)])),
    missing: (assets, { root, request, reply }) =>
      missingPage(reference(), { assets, root, address: addressOf(request, reply) }, site).html,
  })
  const texts = served.map(([path, page]) => ({ url: `${path}.md`, path, page }))
  for (const { url, path, page } of [
    ...texts,
    { url: '/llms-full.txt', path: base, page: wholePage(reference, resourceOf) },
  ]) {
    app.get(url, (request, reply) => {
      const address = addressOf(request, reply)
      reply.headers({ 'cache-control': 'no-cache', link: linksOf(path, rootOf(url), address.canonical) })
      return send(reply, page.markdown(address))
    })
  }
  serveScript(app, `${base}/search.js`, 'search-results.js', 'resultsIn')
  if (!hide.has('tryIt')) {
    serveScript(app, `${base}/first-call.js`, 'first-call.js', 'send')
    serveOperations(app, `${base}/operations`, given, resourceOf)
  }
  if (!hide.has('swaggerUi')) {
    const { title } = modelOf(given).info
    await serveSwaggerUi(app, { path: `${base}/swagger`, title, logo, origins, formats, addressOf })
  }
  for (const format of ['json', 'yaml'] as const) {
    app.get(`/openapi.${format}`, (request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed })
      return send(reply.header('cache-control', 'no-cache'), formats.resource(format, addressOf(request, reply)))
    })
  }
  if (hide.has('discovery')) return
  app.get('/', (request, reply) => reply.redirect(`${addressOf(request, reply).prefix}${base}`))
  const found = [...paths, ...(changelog ? [`${base}/changelog`] : [])]
  serveDiscovery(app, reference, found, serverOf(given), changelog !== undefined, addressOf, resourceOf)
}

/** The origins of the servers of the document and of its operations, which the pages may call. */
function originsOf(document: Document): string[] {
  const { servers, operations } = modelOf(document)
  const absolute = [...servers, ...operations.flatMap((operation) => operation.servers ?? [])]
    .flatMap(urlsOf)
    .filter((url) => URL.canParse(url))
  return [...new Set(absolute.map((url) => new URL(url).origin))]
}

/** Of the images in the texts of the document. */
function imageOrigins(document: Document): string[] {
  const origins = new Set<string>()
  const visit = (node: unknown) => {
    if (typeof node === 'object' && node !== null) for (const child of Object.values(node)) visit(child)
    if (typeof node !== 'string' || !node.includes('![')) return
    for (const [, origin = ''] of node.matchAll(/!\[[^\]]*\]\(<?(https:\/\/[\w.:-]+)/g)) origins.add(origin)
  }
  visit(document)
  return [...origins]
}

/** The files in browser/, and the fonts. */
async function load(theme: string, own: readonly URL[]): Promise<Assets> {
  const files = [...(await assetsIn(shared)), ...(await assetsIn(new URL('../', shared)))]
  return loadAssets({
    urls: [...files, ...own],
    styles: styles.map((name) => `${name}.css`),
    texts: { 'theme.css': theme },
  })
}

/** A Fastify plugin. */
export const openapiPages = fp(pages, { name: 'openapi-pages' })
