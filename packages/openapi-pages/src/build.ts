// The pages as files: all that links lead to, from the first page on.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Document } from 'exact-openapi'
import fastify from 'fastify'
import { serverOf, UNKNOWN_HOST } from './address.ts'
import { openapiPages, type PagesOptions } from './index.ts'

interface BuildOptions extends Pick<PagesOptions, 'changelog' | 'path' | 'server'> {
  /** Where the files will be. */
  url?: string
}

/** No URL has this host: the pages name no address of their own. */
const nowhere = { host: '0.0.0.256', protocol: 'http:', pathname: '/' }

/** @returns how many files were written */
export async function buildPages(document: Document, out: string, options: BuildOptions): Promise<number> {
  const { url, server, path = '/docs', ...others } = options
  const { host, protocol, pathname } = url === undefined ? nowhere : new URL(url)
  const documented = serverOf(document)
  const isApiKnown = server !== undefined || URL.canParse(documented)
  const app = fastify({ trustProxy: true })
  await app.register(openapiPages, {
    ...others,
    document,
    path,
    basePath: pathname.replace(/\/$/, ''),
    ...(isApiKnown ? { ...(server !== undefined && { server }) } : { server: `${UNKNOWN_HOST}${documented}` }),
    hide: isApiKnown ? ['swaggerUi'] : ['swaggerUi', 'tryIt'],
  })
  const headers = { host, 'x-forwarded-proto': protocol.slice(0, -1) }
  const queue = [`${path}/`, '/llms.txt', ...(url === undefined ? [] : ['/robots.txt', '/sitemap.xml'])]
  const seen = new Set(queue)
  let count = 1
  for (const at of queue) {
    const { statusCode, headers: its, rawPayload } = await app.inject({ url: at, headers })
    if (statusCode !== 200) continue
    const type = String(its['content-type'])
    const text = String(rawPayload)
    for (const target of linksIn(type, text)) {
      const to = new URL(target, `http://here${at}`)
      // A page is a folder, so that every host finds it, and relative links lead where they should.
      const name = to.host === 'here' ? `${to.pathname}${isPage(to.pathname, path) ? '/' : ''}` : ''
      if (name !== '' && !seen.has(name)) queue.push(name)
      seen.add(name)
    }
    const file = resolve(out, `.${decodeURIComponent(at.endsWith('/') ? `${at}index.html` : at)}`)
    if (!file.startsWith(`${resolve(out)}/`)) throw new Error(`${at} leads out of ${out}`)
    count++
    await write(file, type.startsWith('text/html') ? withPolicy(text, its['content-security-policy']) : rawPayload)
  }
  await write(join(out, 'index.html'), `<!doctype html><meta http-equiv="refresh" content="0; url=.${path}/">\n`)
  await app.close()
  return count
}

/** A static host sends no header. Browsers know the one directive only there. */
const withPolicy = (page: string, policy: unknown) => {
  const directives = String(policy).replace(/frame-ancestors [^;]*; /, '')
  return page.replace(
    '<meta charset',
    () => `<meta http-equiv="Content-Security-Policy" content="${directives}">\n  <meta charset`,
  )
}

async function write(file: string, content: Buffer | string) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

const isPage = (pathname: string, path: string) => pathname.startsWith(path) && !/\.\w+$|\/$/.test(pathname)

const references = /<(?:a|link|img|option|button)\b[^>]* (?:href|src|value|data-url)="([^"#?]+)|\burl\("([^"]+)"\)/g

function linksIn(type: string, text: string): string[] {
  if (!type.startsWith('text/html')) return []
  const targets = Array.from(text.matchAll(references), ([, linked, ofStyle]) => linked ?? String(ofStyle))
  return targets.filter((target) => /^[./\w]/.test(target))
}
