// The page "Project settings / Domains" with a fake API: it shows the states that a test puts into `list`.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { components } from '../../domains/api/dashboard.d.ts'
import dashboard from '../../domains/dashboard/index.ts'
import { show } from './fixture.ts'

export type Domain = components['schemas']['Domain']
export type Domains = components['schemas']['Domains']
type Pair = components['schemas']['PairChoices']

export const dashboardKey = 'browser-dashboard-key'

export interface Fake {
  origin: string
  list: Domains
  /** The requests that change something, such as `PUT /primary {"domain":"docs.example.com"}`. */
  changes: string[]
  /** The choices for a name that can be added as a pair. */
  pairs: Map<string, Pair>
  /** The only key that is accepted. */
  key: string
}

type Opened = Partial<Domains> & { options?: BrowserContextOptions; path?: string }

const past = '2026-01-01T00:00:00Z'

export const apexNote =
  'An apex domain cannot have a CNAME record. Some DNS providers call ALIAS records ANAME. If your provider supports neither, use a subdomain.'

/** A new domain, with changes. */
export function domainOf(domain: string, changes: Partial<Domain> = {}): Domain {
  const [name = ''] = domain.split('.')
  const record = { type: 'CNAME' as const, name, value: 'cname.store.example', ttl: 3600, note: '' }
  return {
    domain,
    displayName: domain,
    kind: 'subdomain',
    isPrimary: false,
    state: 'added',
    summary: 'Make the DNS record below, then verify the domain.',
    addedAt: past,
    canVerifyAt: past,
    record,
    ...changes,
  }
}

/** Serves the page, also below the prefix /shop, and its API until the test ends. */
export async function fake(t: Test, domains: Domain[] = [], changes: Partial<Domains> = {}): Promise<Fake> {
  const app = Fastify({ rewriteUrl: ({ url = '' }) => url.replace(/^\/shop(?=\/)/, '') })
  t.teardown(() => app.close())
  const platform = { domain: 'shop.docs.example', cnameTarget: 'cname.store.example' }
  const primary = domains.find(({ isPrimary }) => isPrimary)?.domain
  const list: Domains = {
    plan: 'pro',
    platform,
    ...(primary && { primary }),
    accounts: [],
    total: 0,
    count: 0,
    domains: structuredClone(domains),
    ...changes,
  }
  const served: Fake = { origin: '', list, changes: [], pairs: new Map(), key: dashboardKey }
  await app.register(dashboard)
  await app.register(async (api) => serveApi(api, served), { prefix: '/dashboard/v1' })
  app.get('/docs', (_request, reply) => {
    reply
      .type('text/html')
      .send('<title>Docs</title><link rel="icon" href="data:,"><p class="contents"><a>Docs</a></p>')
  })
  served.origin = await app.listen({ port: 0 })
  return served
}

function serveApi(api: FastifyInstance, served: Fake) {
  const { list } = served
  const find = (host: string) => list.domains.find(({ domain }) => domain === host) as Domain
  const change = (host: string, changes: Partial<Domain>) => Object.assign(find(host), changes)

  type Response = [status: number, body?: unknown]
  type Input = { domain: string; status: 301; pair?: string; search?: string }
  /** The effect of each operation on the list, and its response. */
  const operations: Record<string, (host: string, input: Input) => Response> = {
    'GET /domains'(_host, { search = '' }) {
      const domains = list.domains.filter(({ domain }) => domain.includes(search))
      return [200, { ...list, total: list.domains.length, count: domains.length, domains }]
    },
    'GET /pairs/:domain': (host) => [200, served.pairs.get(host) ?? { choices: [] }],
    'POST /domains': (_host, { domain, pair }) => {
      list.domains.push(...(pair ? structuredClone([www, apex]) : [domainOf(domain)]))
      return [201, find(domain)]
    },
    'DELETE /domains/:domain': (host) => {
      list.domains.splice(list.domains.indexOf(find(host)), 1)
      return [204]
    },
    'POST /domains/:domain/revoke': () => [204],
    'POST /domains/:domain/verify': (host) => {
      delete find(host).problem
      return [202, change(host, { state: 'verifying', summary: 'Checking the DNS record.' })]
    },
    'PUT /domains/:domain/redirect': (host, { status }) => {
      return [200, change(host, { redirect: { to: String(list.primary), status, isActive: true } })]
    },
    'DELETE /domains/:domain/redirect': (host) => {
      delete find(host).redirect
      return [200, find(host)]
    },
    'PUT /primary': (_host, { domain }) => {
      for (const each of list.domains) each.isPrimary = each.domain === domain
      list.primary = domain
      return [200, find(domain)]
    },
  }

  for (const [name, operate] of Object.entries(operations)) {
    const [method = '', url = ''] = name.split(' ')
    const handler = ({ headers, params, query, body, url: path }: FastifyRequest, reply: FastifyReply) => {
      if (headers.authorization !== `Bearer ${served.key}`)
        return reply.code(401).send({ code: 'unauthorized', message: 'Send a key.', status: 401 })
      const request = `${method} ${path.replace('/dashboard/v1', '').replace(/\?.*/, '')}`
      if (method !== 'GET') served.changes.push(`${request} ${JSON.stringify(body ?? null)}`)
      const { domain: host } = params as { domain?: string }
      const [status, response] = operate(host ?? '', { ...(query as Input), ...(body as Input) })
      return reply.code(status).send(response)
    }
    api.route({ method, url, handler })
  }
}

/** The fake API, and the page after signing in. */
export async function open(t: Test, domains?: Domain[], state: Opened = {}) {
  const { options, path = '/dashboard', ...changes } = state
  const served = await fake(t, domains, changes)
  const page = await show(t, `${served.origin}/docs`, options)
  await page.goto(`${served.origin}${path}`)
  await signIn(page, served.key)
  await page.getByRole('heading', { name: 'Domains', exact: true }).waitFor()
  return { served, page }
}

export async function signIn(page: Page, key: string) {
  await page.getByLabel('Dashboard key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens the menu of a domain and selects an item. */
export async function choose(page: Page, name: string, item?: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  if (item) await page.locator(':popover-open').getByRole('button', { name: item }).click()
}

/** Makes the page reload its list, as when its tab becomes visible. */
export async function look(page: Page) {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

/** Changes a domain behind the page, which then reloads its list. */
export async function update(page: Page, served: Fake, changes: object, at = 0) {
  Object.assign(served.list.domains[at] as Domain, changes)
  await look(page)
}

/** Enters a name in the dialog that adds a domain. */
export async function add(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByLabel('Domain or subdomain').fill(name)
  await page.keyboard.press('Enter')
}

/** The card of a domain. */
export function card(page: Page, name: string) {
  return page.getByRole('article', { name, exact: true })
}

export const primary = domainOf('docs.example.com', {
  isPrimary: true,
  state: 'live',
  summary: 'Live.',
  liveSince: '2026-01-01T00:00:00Z',
})
export const second = domainOf('help.example.com', { summary: 'Create the DNS record below.' })

/** A new apex that will redirect to its new www name. */
const www = domainOf('www.example.com', {
  isPrimary: true,
  counterpart: 'example.com',
  summary: 'Create the DNS record, then verify the domain.',
})
const apex = domainOf('example.com', {
  kind: 'apex',
  counterpart: 'www.example.com',
  redirect: { to: 'www.example.com', status: 301, isActive: false },
  summary: 'Create the DNS record, then verify the domain.',
  record: { type: 'ALIAS', name: '@', value: 'cname.store.example', ttl: 3600, note: apexNote },
})
export const pairChoices: Pair = {
  question: 'Add www.example.com as well?',
  choices: [
    { pair: 'to-www', text: 'Yes: example.com redirects to www.example.com (recommended)' },
    { pair: 'from-www', text: 'Yes: www.example.com redirects to example.com' },
    { text: 'No, only example.com' },
  ],
}

/** The id of the element that has the focus. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)
