// The page around Swagger UI, and its content security policy: no inline script, nothing from another origin.
import type { Document } from '../../spec/document.ts'
import type { Assets } from '../static/assets.ts'
import { type Resource, resource } from '../static/resource.ts'

/** `root` leads from the page's address to that of the server. */
export function pageOf({ info }: Document, { version, files }: Assets, root: string): Resource {
  const asset = (name: string) => `${root}docs/static/${version}/${name}`
  const [title, description] = [info.title, (info.description ?? '').split('\n', 1).join()].map(escapeHtml)
  const modules = [...files.keys()].filter((name) => name.endsWith('.js') && !classic.includes(name))
  return resource(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title}: API reference</title>
  <meta name="description" content="${description}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" type="image/svg+xml" href="${asset('favicon.svg')}">
  <link rel="preload" as="style" href="${asset('swagger-ui.css')}">
  ${styles.map((name) => `<link rel="stylesheet" href="${asset(`${name}.css`)}">`).join('\n  ')}
  <script src="${asset('color-scheme.js')}"></script>
  <script defer src="${asset('swagger-ui-bundle.js')}"></script>
  ${modules.map((name) => `<link rel="modulepreload" href="${asset(name)}">`).join('\n  ')}
  <script type="module" src="${asset('start.js')}"></script>
</head>
<body>
  <a class="skip" href="#operations">Skip to the operations</a>
  <header class="bar">
    <a class="brand" href="${root}docs"><img src="${asset('favicon.svg')}" width="28" height="28" alt="">${title}</a>
    <nav aria-label="Downloads">
      <a href="${root}openapi.json" download="openapi.json">openapi.json</a>
      <a href="${root}openapi.yaml" download="openapi.yaml">openapi.yaml</a>
    </nav>
    <button type="button" class="color-scheme" aria-pressed="false">Dark mode</button>
  </header>
  <div class="columns">
    <nav class="contents" aria-label="Contents"><details><summary>Contents</summary><div></div></details></nav>
    <div id="swagger-ui" data-document="${root}openapi.json"></div>
  </div>
  <noscript><p>This page needs JavaScript. The document itself: <a href="${root}openapi.yaml">openapi.yaml</a></p></noscript>
</body>
</html>
`,
  )
}

const styles = [
  'base',
  'page',
  'contents',
  'prose',
  'controls',
  'toolbar',
  'operations',
  'operation',
  'dialogs',
  'phone',
]

/** Scripts that are not modules: one runs before the first paint, the other is Swagger UI's. */
const classic = ['color-scheme.js', 'swagger-ui-bundle.js']

/** Allows connections to the document's servers only. The hash is of an inline style of Swagger UI. */
export function contentSecurityPolicy({ servers = [] }: Document): string {
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
    ["connect-src 'self'", ...new Set(origins)].join(' '),
  ].join('; ')
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => String(entities[character]))
}
