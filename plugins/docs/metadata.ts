// What the head of the page says to crawlers and to sites that link to it: alternates, the canonical link, OpenGraph.
import { type Html, html } from '../../reference/html/markup.ts'

export interface Metadata {
  site: string
  title: string
  description: string
  /** Of the page; its Markdown is at the same path with `.md`. */
  path: string
  /** Leads from the page to the root of the server. */
  root: string
  /** Of the canonical copy; '' if it is not known. */
  origin: string
  /** The URL path of a picture, 1200 by 630 pixels. */
  image: string
}

export function metadata({ site, title, description, path, root, origin, image }: Metadata): Html {
  const url = origin && `${origin}${path}`
  return html`<link rel="alternate" type="text/markdown" href="${root}${path.slice(1)}.md">
  <link rel="service-desc" type="application/json" href="${root}openapi.json">
  <meta property="og:type" content="website">
  <meta property="og:site_name" content="${site}">
  <meta property="og:title" content="${title}">
  <meta property="og:description" content="${description}">
  ${
    url !== '' &&
    html`<link rel="canonical" href="${url}">
  <meta property="og:url" content="${url}">
  <meta property="og:image" content="${origin}${image}">
  <meta name="twitter:card" content="summary_large_image">
  `
  }`
}
