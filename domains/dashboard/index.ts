// The page "Project settings / Domains" at /dashboard: static files that call the private API below /dashboard/v1.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import {
  type Assets,
  assetsIn,
  fonts,
  loadAssets,
  memoize,
  policyOf,
  type Resource,
  resource,
  serveSite,
  shared,
} from 'openapi-pages/static'

const markup = new URL(import.meta.resolve('#dashboard/index.html'))

async function dashboard(app: FastifyInstance) {
  const pages = memoize(page)
  serveSite(app, {
    path: '/dashboard',
    contentSecurityPolicy: policyOf(),
    load,
    pages: { '/dashboard': (assets, { root }) => pages(root, assets) },
  })
}

/** The page's own files, and those that it shares with the documentation. */
async function load(): Promise<Assets> {
  return loadAssets([...fonts(), ...(await assetsIn(shared)), ...(await assetsIn(new URL('./', markup)))])
}

/** The page with relative addresses; in its file, every address begins with a slash. */
async function page(root: string, { version }: Assets): Promise<Resource> {
  const html = await readFile(markup, 'utf8')
  const versioned = html.replaceAll('="/dashboard/static/', `="/dashboard/static/${version}/`)
  return resource('text/html; charset=utf-8', versioned.replaceAll('="/', `="${root}`))
}

export default fp(dashboard, { name: 'dashboard' })
