// The page "Project settings / Domains" at /dashboard: static files that call the private API below /dashboard/v1.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import {
  type Assets,
  assetsIn,
  loadAssets,
  memoize,
  type Resource,
  resource,
  serveSite,
  shared,
  siteAt,
} from 'openapi-pages/static'

const markup = new URL(import.meta.resolve('#dashboard/index.html'))
const logo = new URL(import.meta.resolve('#spec/logo.svg'))

async function dashboard(app: FastifyInstance) {
  const text = await readFile(markup, 'utf8')
  const pages = memoize((root, assets: Assets) => page(text, root, assets))
  serveSite(app, {
    path: '/dashboard',
    load,
    pages: { '/dashboard': (assets, { root }) => pages(root, assets) },
  })
}

/** The page's own files, and those that it shares with the documentation. */
async function load(): Promise<Assets> {
  const urls = [logo, ...(await assetsIn(shared)), ...(await assetsIn(new URL('./', markup)))]
  return loadAssets({ urls, styles: ['base.css', 'dashboard.css', 'controls.css', 'domain.css'] })
}

/** The page with relative addresses, and what it carries; in its file, every address begins with a slash. */
function page(text: string, root: string, { carriedAt, pathOf }: Assets): Resource {
  const { style, first, script } = carriedAt(siteAt(root, '/dashboard'))
  const html = text
    .replaceAll(/"\/dashboard\/static\/([^"]+)"/g, (_, name) => `"/dashboard/${pathOf(name)}"`)
    .replaceAll('="/', `="${root}`)
    .replace('</head>', () => `${style.html}\n  ${first.html}\n</head>`)
    .replace('</body>', () => `${script.html}\n</body>`)
  return resource('text/html; charset=utf-8', html)
}

export default fp(dashboard, { name: 'dashboard' })
