// The page "Project settings / Domains" at /dashboard: static files that call the private API below /dashboard/v1.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type Assets, assetsIn, browserFile, loadAssets } from './static/assets.ts'
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
  "connect-src 'self'",
].join('; ')

async function dashboard(app: FastifyInstance) {
  serveSite(app, { path: '/dashboard', contentSecurityPolicy, load, page })
}

/** The page's own files, and those that it shares with the documentation. */
async function load(): Promise<Assets> {
  return loadAssets([...(await assetsIn('shared')), ...(await assetsIn('dashboard'))])
}

/** The page with relative addresses; in its file, every address begins with a slash. */
async function page({ version }: Assets, root: string): Promise<Resource> {
  const html = await readFile(browserFile('dashboard/index.html'), 'utf8')
  const versioned = html.replaceAll('="/dashboard/static/', `="/dashboard/static/${version}/`)
  return resource('text/html; charset=utf-8', versioned.replaceAll('="/', `="${root}`))
}

export default fp(dashboard, { name: 'dashboard' })
