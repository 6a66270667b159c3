import Fastify from 'fastify'
import { httpEdge } from 'http-edge/fastify'
import t, { type Test } from 'tap'
import dashboard from '../../../domains/dashboard/index.ts'
import { carriedBy } from '../../../packages/openapi-pages/test/fixtures/carried.ts'
import errors from '../../../plugins/errors.ts'

const pages = ['/dashboard', '/dashboard/']

async function build(t: Test) {
  const edge = httpEdge()
  const app = Fastify(edge.options)
  t.teardown(() => app.close())
  await app.register(edge.plugin)
  await app.register(errors)
  await app.register(dashboard)
  return app
}

/** The links of the page, as paths from the root, if the page is below `prefix`. */
function linksOf(html: string, page: string, prefix = ''): string[] {
  const links = [...carriedBy(html).rest.matchAll(/(?:href|src|data-api)="([^"#][^"]*)"/g)].map(([, link]) =>
    String(link),
  )
  return links.map((link) => new URL(link, `http://x${prefix}${page}`).pathname)
}

t.test('the page is revalidated each time, and its policy allows only its own files', async (t) => {
  const app = await build(t)
  for (const url of [...pages, '/dashboard?from=mail']) {
    const { statusCode, headers, body } = await app.inject({ url })
    t.equal(statusCode, 200, url)
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    t.equal(headers['cache-control'], 'no-cache')
    const { scripts, styles, rest } = carriedBy(body)
    t.equal(
      headers['content-security-policy'],
      `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'; script-src ${scripts}; ` +
        `style-src ${styles}; img-src 'self'; font-src 'self'; connect-src 'self'`,
    )
    t.notMatch(rest, /<script|<style|style=| on\w+=/)
  }
})

t.test('its links work with and without a slash, and below every prefix', async (t) => {
  const app = await build(t)
  for (const prefix of ['', '/shop']) {
    const [links = [], same] = await Promise.all(
      pages.map(async (page) => linksOf((await app.inject({ url: page })).body, page, prefix)),
    )
    t.strictSame(links, same)
    t.ok(links.includes(`${prefix}/dashboard/v1`))
    t.ok(links.includes(`${prefix}/docs`))
    t.ok(links.every((link) => link.startsWith(`${prefix}/d`)))
  }
  const files = linksOf((await app.inject('/dashboard')).body, '/dashboard').filter((link) => link.includes('/static/'))
  t.strictSame(
    new Set(files.map((url) => url.split('/').at(-1))),
    new Set(['geist-mono.woff2', 'geist.woff2', 'logo.svg']),
  )
  for (const url of files) t.equal((await app.inject(url)).statusCode, 200, url)
})
