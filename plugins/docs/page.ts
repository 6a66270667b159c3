// The pages: the reference with the scripts that take it over, the changelog, and their content security policy: no
// inline script, nothing from another origin.
import { changelogHtml } from '../../reference/html/changelog.ts'
import { escapeHtml, type Html, html } from '../../reference/html/markup.ts'
import { contentsHtml, referenceHtml } from '../../reference/html/reference.ts'
import type { Reference } from '../../reference/tree.ts'
import { type Document, exampleServer } from '../../spec/document.ts'
import type { Assets } from '../static/assets.ts'
import { type Resource, resource } from '../static/resource.ts'
import { metadata } from './metadata.ts'

export interface Visitor {
  assets: Assets
  /** Leads from the page's address to that of the server. */
  root: string
  /** Of the canonical copy; '' if it is not known. */
  origin: string
}

/** `baseUrl` takes the place of the example server. */
export function referencePage(reference: Reference, baseUrl: string, visitor: Visitor): Resource {
  const { assets, root } = visitor
  const asset = assetUrls(visitor)
  const modules = [...assets.files.keys()].filter((name) => name.endsWith('.js') && !others.test(name))
  const page = framed(visitor, {
    reference,
    path: '/docs',
    title: `${reference.title}: API reference`,
    description: reference.summary,
    scripts: html`${modules.map((name) => html`<link rel="modulepreload" href="${asset(name)}">\n  `)}<script type="module" src="${asset('start.js')}"></script>`,
    search: html`<button type="button" class="search-button needs-script">Search <kbd>/</kbd></button>`,
    contents: contentsHtml(reference),
    content: referenceHtml(reference, root),
  })
  return resource('text/html; charset=utf-8', page.html.replaceAll(exampleServer, escapeHtml(baseUrl)))
}

/** `changelog` is Markdown. */
export function changelogPage(reference: Reference, changelog: string, visitor: Visitor): Resource {
  const page = framed(visitor, {
    reference,
    path: '/docs/changelog',
    title: `${reference.title}: changelog`,
    description: `What has changed between the versions of the ${reference.title} API.`,
    scripts: false,
    search: false,
    ...changelogHtml(changelog, visitor.root),
  })
  return resource('text/html; charset=utf-8', page.html)
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

function framed(visitor: Visitor, { reference, path, title, description, scripts, search, contents, content }: Frame) {
  const { root, origin } = visitor
  const asset = assetUrls(visitor)
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="description" content="${description}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  ${metadata({ site: reference.title, title, description, path, root, origin, image: assetUrls({ ...visitor, root: '/' })('card.png') })}<link rel="icon" type="image/svg+xml" href="${asset('favicon.svg')}">
  ${fonts.map((name) => html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${asset(name)}">\n  `)}${styles.map((name) => html`<link rel="stylesheet" href="${asset(`${name}.css`)}">\n  `)}<script src="${asset('color-scheme.js')}"></script>
  ${scripts}
</head>
<body data-document="${root}openapi.json">
  <a class="skip" href="#content">Skip to the content</a>
  <header class="bar">
    <a class="brand" href="${root}docs"><img src="${asset('favicon.svg')}" width="28" height="28" alt="">${reference.title}</a>
    ${search}
    <button type="button" class="menu-button" popovertarget="contents">Contents</button>
    <button type="button" class="color-scheme needs-script" aria-pressed="false">Dark mode</button>
  </header>
  <div class="columns">
    <nav class="contents" id="contents" popover aria-label="Contents">
${contents}</nav>
    <main id="content" tabindex="-1">
${content}</main>
  </div>
</body>
</html>
`
}

function assetUrls({ assets, root }: Visitor) {
  return (name: string) => `${root}docs/static/${assets.version}/${name}`
}

const fonts = ['geist-latin-wght-normal.woff2', 'geist-mono-latin-wght-normal.woff2']
const styles = ['base', 'fonts', 'page', 'contents', 'prose', 'fields', 'code', 'operation', 'try-it', 'search']

/** Not preloaded: a classic script that has run by then, and those that come only when an operation is tried. */
const others = /^(color-scheme|format-json|swagger|try-it-)/

/** Allows connections to the document's servers only. */
export function contentSecurityPolicy({ servers = [] }: Document): string {
  const origins = servers.filter(({ url }) => URL.canParse(url)).map(({ url }) => new URL(url).origin)
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", ...new Set(origins)].join(' '),
  ].join('; ')
}
