// The documentation: the reference as HTML at /docs and as Markdown, Swagger UI at /docs/swagger, and the OpenAPI
// document.
import { type Document, parseDocument } from 'exact-openapi'
import { modelOf, withServers } from 'exact-openapi/model'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { appendVary, preferredType } from 'http-edge/negotiation'
import type { Language } from '#browser/languages.js'
import { type AddressOf, type AddressOptions, addressesOf, linksOf, prefixesOf, serverOf } from './address.ts'
import { wrongExamples } from './check.ts'
import { languagesOf, samplesIn, withSamples } from './code-samples/index.ts'
import { serveDiscovery } from './discovery.ts'
import { formatsOf } from './formats.ts'
import { type LooksOptions, themeOf } from './looks.ts'
import { type Changelog, missingPage, type Page, pagesOf, type Site, styles, wholeMarkdown } from './page.ts'
import type { Hidden } from './reference/html/page-context.ts'
import { imageOrigins } from './reference/html/prose.ts'
import { partPaths } from './reference/paths.ts'
import { readReference } from './reference/read.ts'
import { searchEntries } from './reference/search-entries.ts'
import { urlsOf } from './reference/texts.ts'
import { browserModules, moduleOf, serveOperations, serveScript } from './scripts.ts'
import { withExampleServer } from './server.ts'
import { lazy } from './static/memoize.ts'
import { type Copies, copies, send } from './static/resource.ts'
import { scriptOf } from './static/script.ts'
import { type Assets, assetsIn, loadAssets, nameOf, type PageAt, rootOf, serveSite, shared } from './static/site.ts'
import { serveSwaggerUi } from './swagger-ui.ts'

export { exampleRequest } from './example-request.ts'

export interface PagesOptions extends AddressOptions, LooksOptions {
  /** Default: that of @fastify/swagger, which is registered before. */
  document?: Document
  /** Of the first page. Default: `/docs`. */
  path?: string
  /** The base URL of the API, in place of the document's servers. */
  server?: string
  /** The base URL that the document's texts and examples have: pages show the API's own in its place. Default: none. */
  exampleServer?: string
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
  const { path: base = '/docs', changelog, picture, links = [], hide: hidden = [] } = options
  if (!/^(\/[\w.~-]+)+$/.test(base)) throw new Error(`path: ${base} is not a path such as /docs`)
  if (!options.document && !app.hasDecorator('swagger'))
    throw new Error('document: give one, or register @fastify/swagger before')
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true } as object // from @fastify/swagger
  })
  const hide = new Set(hidden)
  const logo = options.logo ?? new URL(import.meta.resolve('#browser/reference.svg'))
  const languages = languagesOf(options.languages)
  const copiesOf = copies()
  const isTaken = (url: string) => app.hasRoute({ method: 'GET', url: `${app.prefix}${url}` })
  const document = isTaken('/openapi.json') ? `${base}/openapi`.slice(1) : 'openapi'
  const more = languages.more.map((language) => {
    const { lang, label } = language
    return { path: `${base}/samples/${lang}`, lang, label, samples: lazy(() => samplesIn(read().source, language)) }
  })
  const site: Site = {
    ...{ base, links, changelog, hide, document, up: '../'.repeat(app.prefix.split('/').length - 1) },
    logo: nameOf(logo),
    picture: picture && nameOf(picture),
    more: hide.has('samples') ? [] : more,
  }
  /** When first needed: @fastify/swagger knows the app's routes once it has started. */
  const read = lazy(() => readDocument(app, options, languages.shown, site, copiesOf))
  const addressOf: AddressOf = (...visit) => read().addressOf(...visit)

  /** HTML, or Markdown for a client that prefers it. */
  const negotiated = (path: string, page: Page): PageAt => {
    return (assets, { root, request, reply }) => {
      const address = addressOf(request, reply)
      const link = linksOf(path, root, address.canonical, document)
      reply.headers({ vary: appendVary(reply.getHeader('vary'), 'Accept'), link })
      const type = preferredType(request.headers, ['text/html', 'text/markdown'])
      return type === 'text/markdown' ? page.markdown(address) : page.html({ assets, root, address })
    }
  }
  const asMarkdown = (path: string, page: Page) => {
    return (_assets: unknown, { root, request, reply }: Parameters<PageAt>[1]) => {
      const address = addressOf(request, reply)
      reply.header('link', linksOf(path, root, address.canonical, document))
      return page.markdown(address)
    }
  }
  const pageAt = (url: string): PageAt | undefined => {
    const path = url.replace(/\.md$/, '')
    const page = read().pages[path]
    return page && (path === url ? negotiated : asMarkdown)(path, page)
  }
  const first: PageAt = (assets, visit) => (pageAt(base) as PageAt)(assets, visit)

  const responses = hide.has('tryIt') ? [] : ['blob:'] // pictures that arrive
  serveSite(app, {
    path: base,
    sources: () => ({
      'script-src': ["'self'"],
      'connect-src': read().origins,
      'img-src': [...read().images, ...responses],
    }),
    load: lazy(() => load(themeOf(options.colors), [logo, ...(picture ? [picture] : [])])),
    pages: { [base]: first },
    pageAt,
    missing: (assets, { root, request, reply }) =>
      missingPage(read().reference(), { assets, root, address: addressOf(request, reply) }, site).html,
  })
  app.get(`${base}.md`, (request, reply) => {
    const first = asMarkdown(base, read().pages[base] as Page)
    reply.header('cache-control', 'no-cache')
    return send(reply, first(undefined, { root: rootOf(base), request, reply }))
  })
  const everything = () => `export const all = ${JSON.stringify(searchEntries(read().reference()))}\n`
  const modules = browserModules()
  const search = moduleOf(modules, 'search-results.js', 'resultsIn')
  serveScript(app, `${base}/search.js`, search)
  serveScript(app, `${base}/search-all.js`, search, everything)
  if (!hide.has('tryIt')) {
    serveScript(app, `${base}/first-call.js`, moduleOf(modules, 'first-call.js', 'send'))
    serveOperations(app, modules, `${base}/operations`, () => read().source, copiesOf)
  }
  if (!hide.has('swaggerUi')) {
    const [formats, origins] = [() => read().formats, () => read().origins]
    const script = scriptOf('swagger-page.js', await modules())
    const title = titleIn(options)
    await serveSwaggerUi(app, { path: `${base}/swagger`, title, logo, script, origins, formats, addressOf })
  }
  const exposed = ['etag', ...(options.exposedHeaders ?? [])].join(', ')
  for (const format of ['json', 'yaml'] as const) {
    app.get(`/${document}.${format}`, (request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed })
      return send(reply.header('cache-control', 'no-cache'), read().formats[format](addressOf(request, reply)))
    })
  }
  app.addHook('onReady', async () => {
    try {
      const wrong = wrongExamples(read().source)
      if (wrong.length > 0) app.log.warn({ examples: wrong.slice(0, MOST_LOGGED) }, wrongText(wrong.length))
    } catch (error) {
      app.log.error(error, `Cannot read the OpenAPI document for ${app.prefix}${base}; responding with 500 there.`)
    }
  })
  if (hide.has('discovery')) return
  const pages = () => [...read().paths, ...(changelog ? [`${base}/changelog`] : [])]
  const hasChangelog = changelog !== undefined
  const [reference, server] = [() => read().reference(), () => serverOf(read().source)]
  const whole = wholeMarkdown(reference, copiesOf)
  serveDiscovery(app, { reference, whole, pages, document, server, hasChangelog, addressOf, copiesOf })
}

/** Of examples that do not fit. */
const MOST_LOGGED = 20

const wrongText = (count: number) =>
  `Examples of the OpenAPI document that do not fit their schemas: ${count}. List all with openapi-pages check FILE.`

/** Of the document, for a page that is made before it is read. */
function titleIn({ document }: PagesOptions): string {
  try {
    return document ? modelOf(document).info.title : 'API'
  } catch {
    return 'API' // the first request that needs the document says what is wrong
  }
}

/** All that depends on the document. */
function readDocument(
  app: FastifyInstance,
  options: PagesOptions,
  languages: readonly Language[],
  site: Site,
  copiesOf: Copies,
) {
  const { server, exampleServer } = options
  const { base, hide } = site
  const whole = options.document ?? writtenBy(app)
  const source = server === undefined ? whole : withServers(whole, [{ url: server }])
  const document = withSamples(exampleServer ? withExampleServer(source, exampleServer) : source, languages)
  const hasSchemas = !hide.has('schemas')
  const reference = lazy(() => readReference(document, { base, hasSchemas }))
  const paths = partPaths(modelOf(source), base, hasSchemas) // the source has been read; the copy with samples not yet
  return {
    ...{ source, reference, paths, origins: originsOf(source), images: imagesOf(source) },
    formats: formatsOf(document, copiesOf),
    addressOf: addressesOf(source, options, app.prefix),
    pages: pagesOf(reference, paths, site, copiesOf),
  }
}

/** By @fastify/swagger. */
function writtenBy(app: FastifyInstance): Document {
  const document = (app as unknown as { swagger(): { openapi?: string } }).swagger()
  if (document.openapi === undefined)
    throw new Error('@fastify/swagger writes Swagger 2.0: register it with openapi: {}')
  return parseDocument(JSON.stringify(document), '@fastify/swagger')
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
function imagesOf(document: Document): string[] {
  const visit = (node: unknown): string[] => {
    if (typeof node === 'object' && node !== null) return Object.values(node).flatMap(visit)
    return typeof node === 'string' ? imageOrigins(node) : []
  }
  return [...new Set(visit(document))]
}

/** The files in browser/, and the fonts. */
async function load(theme: string, urls: readonly URL[]): Promise<Assets> {
  const files = [...(await assetsIn(shared)), ...(await assetsIn(new URL('../', shared)))]
  return loadAssets({
    urls: [...files, ...urls],
    styles: styles.map((name) => `${name}.css`),
    texts: { 'theme.css': theme },
  })
}

/** A Fastify plugin. `/` leads to the pages, unless the app serves something there. */
export const openapiPages = fp(
  async (app: FastifyInstance, options: PagesOptions & { prefix?: string }) => {
    await app.register(fp(pages, { encapsulate: true }), options)
    const { path = '/docs', hide = [], prefix = '' } = options
    if (hide.includes('discovery')) return
    const prefixOf = prefixesOf(options)
    const roots = [prefix, `${prefix}/`]
    // A route would take the place of one that the app adds later.
    // It runs for all of them, so it makes no promise.
    app.addHook('onRequest', (request, reply, done) => {
      if (!request.is404 || !/^(GET|HEAD)$/.test(request.method)) return done()
      const [url = ''] = request.url.split('?', 1)
      if (!roots.includes(url)) return done()
      reply.redirect(`${prefixOf(request)}${prefix}${path}`)
    })
  },
  { name: 'openapi-pages', fastify: '5.x' },
)
