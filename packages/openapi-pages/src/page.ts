// The pages: the reference and the changelog.
import type { Address } from './address.ts'
import { atAddresses } from './at-addresses.ts'
import { escapeHtml, type Html, html } from './reference/html/markup.ts'
import type { Hidden } from './reference/html/page-context.ts'
import { changelogHtml, contentsHtml, referenceHtml } from './reference/html/reference.ts'
import { type MoreSamples, samplesHtml } from './reference/html/samples.ts'
import { referenceMarkdown, samplesMarkdown } from './reference/markdown.ts'
import { isSplit, linkedFrom, partAt, partName } from './reference/parts.ts'
import type { Reference } from './reference/tree.ts'
import { exampleRoot } from './server.ts'
import type { Copies, Resource } from './static/resource.ts'
import type { Assets } from './static/site.ts'

interface Visitor {
  assets: Assets
  /** Leads from the page's address to that of the server. */
  root: string
  address: Address
}

/** What all pages have in common. */
export interface Site {
  /** The path of the first page. */
  base: string
  /** Leads from the path of the server to its root, where the API may be: '' unless the plugin has a prefix. */
  up: string
  /** Of the document, without its extension: `openapi`. */
  document: string
  /** Names of files. */
  logo: string
  picture: string | undefined
  links: readonly { text: string; url: string }[]
  more: readonly MoreSamples[]
  changelog: Changelog | undefined
  hide: ReadonlySet<Hidden>
}

/** A page as HTML and as Markdown. Rendered once per place; base URLs are put into the text. */
export interface Page {
  html(visitor: Visitor): Resource
  markdown(address: Address): Resource
}

/** What changed between the versions of the API, in Markdown. */
export type Changelog = () => string

/** By path. */
export function pagesOf(
  reference: () => Reference,
  paths: readonly string[],
  site: Site,
  copiesOf: Copies,
): Record<string, Page> {
  const { base, more, changelog } = site
  const pageOf = pageWith(copiesOf)
  const parts = paths.map((path) => [
    path,
    pageOf(
      (visitor) => referencePage(reference(), path, visitor, site),
      () => referenceMarkdown(partAt(reference(), path)),
    ),
  ])
  const samples = more.map((language) => [
    language.path,
    pageOf(
      (visitor) => samplesPage(reference(), language, visitor, site),
      () => samplesMarkdown(reference(), language),
    ),
  ])
  const changes = changelog && {
    [`${base}/changelog`]: pageOf((visitor) => changelogPage(reference(), changelog(), visitor, site), changelog),
  }
  return { ...Object.fromEntries([...parts, ...samples]), ...changes }
}

/** All parts of the reference as one text. */
export function wholeMarkdown(reference: () => Reference, copiesOf: Copies): Page['markdown'] {
  return markdownWith(copiesOf, () => referenceMarkdown(reference()))
}

function markdownWith(copiesOf: Copies, markdown: () => string): Page['markdown'] {
  const markdownAt = atAddresses(copiesOf('text/markdown; charset=utf-8'), markdown)
  return (address) => markdownAt('', undefined, address)
}

const pageWith =
  (copiesOf: Copies) =>
  (render: (visitor: Visitor) => Html, markdown: () => string): Page => {
    const textOf = (visitor: Visitor) => render(visitor).html
    const htmlAt = atAddresses(copiesOf('text/html; charset=utf-8'), textOf, { written: escapeHtml })
    return {
      html(visitor) {
        const { root, address } = visitor
        return htmlAt(`${root} ${address.rootUrl !== ''} ${address.isApiKnown}`, visitor, address)
      },
      markdown: markdownWith(copiesOf, markdown),
    }
  }

function referencePage(reference: Reference, path: string, visitor: Visitor, site: Site): Html {
  const { root, address } = visitor
  const { more, hide, changelog, up, document } = site
  const name = partName(reference, path)
  const page = {
    ...{ path, root, docs: docsAt(visitor, site), name, document, apiRoot: `${root}${up}` },
    ...{ isApiKnown: address.isApiKnown, hasChangelog: changelog !== undefined, more, hide },
  }
  const linked = linkedFrom(reference, path, root)
  return framed(visitor, site, {
    reference,
    path,
    title: name === '' ? `${reference.title}: API reference` : `${name}: ${reference.title}`,
    description: reference.summary,
    search: isSplit(reference) ? 'search-all.js' : 'search.js',
    contents: linked(contentsHtml(reference, path)),
    content: linked(referenceHtml(partAt(reference, path), page)),
  })
}

/** For an address that does not exist: the contents, and the search in them. */
export function missingPage(reference: Reference, visitor: Visitor, site: Site): Html {
  const docs = docsAt(visitor, site)
  return framed(visitor, site, {
    reference,
    path: '',
    title: `Page not found: ${reference.title}`,
    description: reference.summary,
    search: 'search-all.js',
    contents: linkedFrom(reference, '', visitor.root)(contentsHtml(reference, '')),
    content: html`<div class="reference">
<section class="introduction"><div class="introduction-prose">
<h1>Page not found</h1>
<p>Nothing is at this address. Search with <kbd>/</kbd>, or begin at the <a href="${docs}">reference</a>.</p>
</div></section>
</div>
`,
  })
}

function changelogPage(reference: Reference, markdown: string, visitor: Visitor, site: Site): Html {
  return framed(visitor, site, {
    reference,
    path: `${site.base}/changelog`,
    title: `${reference.title}: changelog`,
    description: `What changed between the versions of the ${reference.title} API.`,
    search: undefined,
    ...changelogHtml(markdown, docsAt(visitor, site)),
  })
}

function samplesPage(reference: Reference, more: MoreSamples, visitor: Visitor, site: Site): Html {
  return framed(visitor, site, {
    reference,
    path: more.path,
    title: `${reference.title}: samples in ${more.label}`,
    description: `How to call each operation of the ${reference.title} API in ${more.label}.`,
    search: undefined,
    ...samplesHtml(reference, more, docsAt(visitor, site)),
  })
}

interface Frame {
  reference: Reference
  path: string
  title: string
  description: string
  /** The name of its script. */
  search: string | undefined
  contents: Html
  content: Html
}

function framed(visitor: Visitor, site: Site, frame: Frame): Html {
  const { root } = visitor
  const { reference, title, description, search, contents, content } = frame
  const docs = docsAt(visitor, site)
  const asset = (name: string) => `${docs}/${visitor.assets.pathOf(name)}`
  const { style, first, script } = visitor.assets.carriedAt(docs)
  const links = site.links.map(({ text, url }) => html`<li><a href="${url}">${text}</a></li>\n`)
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="description" content="${description}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  ${metadata(visitor, site, frame)}<link rel="icon" href="${asset(site.logo)}">
  ${fonts.map((name) => html`<link rel="preload" as="font" type="font/woff2" crossorigin media="(min-width: 861px)" href="${asset(name)}">\n  `)}${style}
  <link rel="expect" href="#columns" blocking="render">
  ${first}
</head>
<body data-document="${root}${site.document}.json" data-docs="${docs}" data-root="${root}" data-api-root="${root}${site.up}">
  <a class="skip" href="#content">Skip to the content</a>
  <header class="bar">
    <a class="brand" href="${docs}"><img src="${asset(site.logo)}" width="24" height="24" alt=""><span>${reference.title}</span></a>
    <span class="place" aria-hidden="true"></span>
    ${search !== undefined && html`<button type="button" class="search-button needs-script" data-url="${docs}/${search}">Search <kbd>/</kbd></button>`}
    <button type="button" class="color-scheme needs-script" aria-pressed="false">Dark mode</button>
    <button type="button" class="menu-button" popovertarget="contents">Contents</button>
  </header>
  <div class="columns" id="columns">
    <nav class="contents" id="contents" popover aria-label="Contents">
${links.length > 0 && html`<ul aria-label="Links">${links}</ul>\n`}${contents}</nav>
    <main id="content" tabindex="-1">
${inAnyLanguage(content)}</main>
  </div>
  ${search !== undefined && script}
</body>
</html>
`
}

/** Each text has the direction of its own letters, and translators leave code as it is. */
function inAnyLanguage({ html }: Html): Html {
  return {
    html: html
      .replace(/<(p|li|h\d|t[dh]|summary|dd(?= class="about"))(?=[ >])/g, '<$1 dir="auto"')
      .replaceAll('<code', '<code translate="no"'),
  }
}

/** For crawlers and for sites that link to the page: alternates, the canonical link, OpenGraph. */
function metadata({ assets, root, address }: Visitor, { base, picture, document }: Site, frame: Frame): Html {
  const { reference, path, title, description } = frame
  return html`${
    path !== '' &&
    html`<link rel="alternate" type="text/markdown" href="${root}${path.slice(1)}.md">
  `
  }<link rel="alternate" type="text/plain" title="For language models" href="${root}llms.txt">
  <link rel="service-desc" type="application/json" href="${root}${document}.json">
  <meta property="og:type" content="website">
  <meta property="og:site_name" content="${reference.title}">
  <meta property="og:title" content="${title}">
  <meta property="og:description" content="${description}">
  ${
    address.rootUrl !== '' &&
    path !== '' &&
    html`<link rel="canonical" href="${exampleRoot}${path}">
  <meta property="og:url" content="${exampleRoot}${path}">
  ${
    picture !== undefined &&
    html`<meta property="og:image" content="${exampleRoot}${base}/${assets.pathOf(picture)}">
  <meta name="twitter:card" content="summary_large_image">
  `
  }`
  }`
}

/** Leads to the first page of the reference. */
const docsAt = ({ root }: Visitor, { base }: Site) => `${root}${base.slice(1)}`

/** Requested early where the screen is wide. On a slow phone they delay the first paint by 300 ms. */
const fonts = ['geist.woff2', 'geist-mono.woff2']

/** In this order. */
export const styles = [
  ...['base', 'page', 'code', 'prose', 'steps', 'operation', 'request', 'fields'],
  ...['try-it', 'search', 'print', 'theme'],
]
