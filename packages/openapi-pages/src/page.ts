// The pages: the reference and the changelog.
import type { Address } from './address.ts'
import { escapeHtml, type Html, html } from './reference/html/markup.ts'
import type { Place } from './reference/html/place.ts'
import { changelogHtml, contentsHtml, referenceHtml } from './reference/html/reference.ts'
import { type MoreSamples, samplesHtml } from './reference/html/samples.ts'
import { referenceMarkdown, samplesMarkdown } from './reference/markdown.ts'
import { linkedFrom, partAt } from './reference/parts.ts'
import type { Reference } from './reference/tree.ts'
import { exampleServer } from './server.ts'
import { memoize } from './static/memoize.ts'
import type { Resource, ResourceOf } from './static/resource.ts'
import { type Assets, fonts, nameOf } from './static/site.ts'

interface Visitor {
  assets: Assets
  /** Leads from the page's address to that of the server. */
  root: string
  address: Address
}

/** A page as HTML and as Markdown. Rendered once per place; base URLs are put into the text. */
export interface Page {
  html(visitor: Visitor): Resource
  markdown(address: Address): Resource
}

/** What changed between the versions of the API, in Markdown. */
export type Changelog = () => string

export const changelogPath = '/docs/changelog'

/** By path. */
export function pagesOf(
  reference: () => Reference,
  paths: readonly string[],
  more: readonly MoreSamples[],
  changelog: Changelog | undefined,
  resourceOf: ResourceOf,
): Record<string, Page> {
  const pageOf = pageWith(resourceOf)
  const parts = paths.map((path) => [
    path,
    pageOf(
      (visitor) => referencePage(reference(), path, visitor, { hasChangelog: changelog !== undefined, more }),
      () => referenceMarkdown(partAt(reference(), path)),
    ),
  ])
  const samples = more.map((one) => [
    one.path,
    pageOf(
      (visitor) => samplesPage(reference(), one, visitor),
      () => samplesMarkdown(reference(), one),
    ),
  ])
  const changes = changelog && {
    [changelogPath]: pageOf((visitor) => changelogPage(reference(), changelog(), visitor), changelog),
  }
  return { ...Object.fromEntries([...parts, ...samples]), ...changes }
}

const pageWith =
  (resourceOf: ResourceOf) =>
  (render: (visitor: Visitor) => Html, markdown: () => string): Page => {
    const templates = memoize((_key, visitor: Visitor) => render(visitor).html)
    const pages = memoize((_key, key: string, visitor: Visitor) => {
      const page = templates(key, visitor).replaceAll(exampleServer, escapeHtml(visitor.address.baseUrl))
      return resourceOf('text/html; charset=utf-8', page)
    })
    const markdowns = memoize((baseUrl) =>
      resourceOf('text/markdown; charset=utf-8', markdown().replaceAll(exampleServer, baseUrl)),
    )
    return {
      html(visitor) {
        const { root, address } = visitor
        const key = `${root} ${address.canonical} ${address.isApiKnown}`
        return pages(`${key} ${address.baseUrl}`, key, visitor)
      },
      markdown: ({ baseUrl }) => markdowns(baseUrl),
    }
  }

function referencePage(
  reference: Reference,
  path: string,
  visitor: Visitor,
  shown: Pick<Place, 'hasChangelog' | 'more'>,
): Html {
  const { root, address } = visitor
  const asset = assetUrls(visitor)
  const page = framed(visitor, {
    reference,
    path,
    title: `${reference.title}: API reference`,
    description: reference.summary,
    scripts: html`${modules.map((name) => html`<link rel="modulepreload" href="${asset(name)}">\n  `)}<script type="module" src="${asset('start.js')}"></script>`,
    search: html`<button type="button" class="search-button needs-script">Search <kbd>/</kbd></button>`,
    contents: contentsHtml(reference, path),
    content: referenceHtml(partAt(reference, path), { ...shown, path, root, isApiKnown: address.isApiKnown }),
  })
  return { html: linkedFrom(reference, path, root)(page.html) }
}

function changelogPage(reference: Reference, markdown: string, visitor: Visitor): Html {
  return framed(visitor, {
    reference,
    path: changelogPath,
    title: `${reference.title}: changelog`,
    description: `What changed between the versions of the ${reference.title} API.`,
    scripts: false,
    search: false,
    ...changelogHtml(markdown, visitor.root),
  })
}

function samplesPage(reference: Reference, more: MoreSamples, visitor: Visitor): Html {
  return framed(visitor, {
    reference,
    path: more.path,
    title: `${reference.title}: samples in ${more.label}`,
    description: `How to call each operation of the ${reference.title} API in ${more.label}.`,
    scripts: false,
    search: false,
    ...samplesHtml(reference, more, visitor.root),
  })
}

interface Frame {
  reference: Reference
  path: string
  title: string
  description: string
  scripts: Html | false
  search: Html | false
  contents: Html
  content: Html
}

function framed(visitor: Visitor, frame: Frame): Html {
  const { root } = visitor
  const { reference, title, description, scripts, search, contents, content } = frame
  const asset = assetUrls(visitor)
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="description" content="${description}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  ${metadata(visitor, frame)}<link rel="icon" type="image/svg+xml" href="${asset('favicon.svg')}">
  ${fontNames.map((name) => html`<link rel="preload" as="font" type="font/woff2" crossorigin media="(min-width: 861px)" href="${asset(name)}">\n  `)}<link rel="stylesheet" href="${asset('docs.css')}">
  <link rel="expect" href="#columns" blocking="render">
  <script src="${asset('color-scheme.js')}"></script>
  ${scripts}
</head>
<body data-document="${root}openapi.json">
  <a class="skip" href="#content">Skip to the content</a>
  <header class="bar">
    <a class="brand" href="${root}docs"><img src="${asset('favicon.svg')}" width="28" height="28" alt=""><span>${reference.title}</span></a>
    <span class="place" aria-hidden="true"></span>
    ${search}
    <button type="button" class="color-scheme needs-script" aria-pressed="false">Dark mode</button>
    <button type="button" class="menu-button" popovertarget="contents">Contents</button>
  </header>
  <div class="columns" id="columns">
    <nav class="contents" id="contents" popover aria-label="Contents">
${contents}</nav>
    <main id="content" tabindex="-1">
${content}</main>
  </div>
</body>
</html>
`
}

/** For crawlers and for sites that link to the page: alternates, the canonical link, OpenGraph. */
function metadata({ assets, root, address }: Visitor, { reference, path, title, description }: Frame): Html {
  const { canonical } = address
  const url = `${canonical}${path}`
  const image = `${canonical}${assetUrls({ assets, root: '/' })('card.png')}`
  return html`<link rel="alternate" type="text/markdown" href="${root}${path.slice(1)}.md">
  <link rel="service-desc" type="application/json" href="${root}openapi.json">
  <meta property="og:type" content="website">
  <meta property="og:site_name" content="${reference.title}">
  <meta property="og:title" content="${title}">
  <meta property="og:description" content="${description}">
  ${
    canonical !== '' &&
    html`<link rel="canonical" href="${url}">
  <meta property="og:url" content="${url}">
  <meta property="og:image" content="${image}">
  <meta name="twitter:card" content="summary_large_image">
  `
  }`
}

function assetUrls({ assets, root }: Pick<Visitor, 'assets' | 'root'>) {
  return (name: string) => `${root}docs/static/${assets.version}/${name}`
}

/** Requested early where the screen is wide. On a slow phone they delay the first paint by 300 ms. */
const fontNames = fonts().map(nameOf)

/** Served as one file, in this order: on a slow connection, each request delays the first paint. */
export const styles = ['base', 'page', 'code', 'prose', 'operation', 'search', 'print']

/** What start.js imports at once. The search and the form come when a reader opens them. */
const modules = ['start.js', 'access.js', 'samples.js', 'navigation.js', 'copy.js', 'search.js', 'try-it.js']
