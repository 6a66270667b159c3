// The page "Project settings / Domains" at /dashboard: static files that call the private API below /dashboard/v1.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type Assets, assetsIn, browserFile, fonts, loadAssets } from './static/assets.ts'
import { onceEach } from './static/once.ts'
import { type Resource, resource } from './static/resource.ts'
import { serveSite } from './static/site.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
].join('; ')

async function dashboard(app: FastifyInstance) {
  const pages = onceEach(page)
  serveSite(app, {
    path: '/dashboard',
    contentSecurityPolicy,
    load,
    pages: { '/dashboard': (assets, { root }) => pages(root, assets) },
  })
}

/** The page's own files, and those that it shares with the documentation. */
async function load(): Promise<Assets> {
  return loadAssets([...fonts(), ...(await assetsIn('shared')), ...(await assetsIn('dashboard'))])
}

/** The page with relative addresses; in its file, every address begins with a slash. */
async function page(root: string, { version }: Assets): Promise<Resource> {
  const html = await readFile(browserFile('dashboard/index.html'), 'utf8')
  const versioned = html.replaceAll('="/dashboard/static/', `="/dashboard/static/${version}/`)
  return resource('text/html; charset=utf-8', versioned.replaceAll('="/', `="${root}`))
}

export default fp(dashboard, { name: 'dashboard' })
