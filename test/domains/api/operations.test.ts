// Walks the document of the private API: triggers and checks every declared response.

import { modelOf } from 'exact-openapi/model'
import t from 'tap'
import { dashboardDocument } from '../../../domains/api/index.ts'
import { IssueError } from '../../../packages/custom-domains/src/certificates/issuer.ts'
import { loadDocument } from '../../../spec/document.ts'
import { jsonOf, responseOf, validationErrors } from '../../document-walk/declared.ts'
import { authorization } from '../../fixtures/app.ts'
import { buildDashboard, type KnownWithPlan, shop } from '../dashboard.ts'

interface TestRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  headers?: Record<string, string>
  known?: KnownWithPlan
  /** To a server whose limit on failed authentications is exceeded. */
  isAfterInvalidKeys?: true
}

const ask = (method: TestRequest['method'], path: string, body?: object): TestRequest => ({
  method,
  path,
  ...(body && { body }),
})
const list = ask('GET', '/domains')
const page = (query: string) => ask('GET', `/domains?${query}`)
const find = (domain: string) => ask('GET', `/domains/${domain}`)
const add = (domain: string, pair?: string) => ask('POST', '/domains', { domain, pair })
const choices = (domain: string) => ask('GET', `/pairs/${domain}`)
const remove = (domain: string) => ask('DELETE', `/domains/${domain}`)
const verify = (domain: string) => ask('POST', `/domains/${domain}/verify`)
const reissue = (domain: string) => ask('POST', `/domains/${domain}/reissue`)
const revoke = (domain: string, reason = 'keyCompromise') => ask('POST', `/domains/${domain}/revoke`, { reason })
const redirect = (domain: string, body = {}) => ask('PUT', `/domains/${domain}/redirect`, body)
const serve = (domain: string) => ask('DELETE', `/domains/${domain}/redirect`)
const makePrimary = (domain: string) => ask('PUT', '/primary', { domain })

const unrevocable: KnownWithPlan['revoker'] = {
  find: async () => ({ keyId: 'key', notAfter: '2027-01-01T00:00:00.000Z', certificate: '' }),
  revoke: () => Promise.reject(new IssueError({ code: 'ca_unavailable', detail: 'Down.' })),
}

const malformed = (request: TestRequest) => ({ ...request, headers: { host: 'a b' } })

/** One more wrong key than allowed. */
const withInvalidKey = (request: TestRequest) => ({
  ...request,
  headers: { authorization: 'Bearer wrong' },
  isAfterInvalidKeys: true as const,
})

/** The responses that all operations share. */
const always = (request: TestRequest) => ({
  401: ['', 'Bearer wrong', authorization].map((value) => ({ ...request, headers: { authorization: value } })),
  405: [{ ...request, method: 'PATCH' as const }],
  406: [{ ...request, headers: { accept: 'text/html' } }],
  412: [{ ...request, headers: { 'if-match': '"a"' } }],
  413: [{ ...request, headers: { 'content-length': '2000000' } }],
  417: [{ ...request, headers: { expect: 'tea' } }],
  429: [withInvalidKey(request)],
})
const withoutBody = (request: TestRequest) => ({ 400: [malformed(request)], ...always(request) })
const withBody = (request: TestRequest) => ({
  415: [{ ...request, headers: { 'content-type': 'text/plain' } }],
  ...always(request),
})

/** Sent before the operation is known, for both documents: test/document-walk.test.ts triggers them. */
const byTheServer = ['408', '414', '431', '500', '501', '503']

/** By operationId, then by status as the document declares it. */
const requests: Record<string, Record<string, TestRequest[]>> = {
  listDomains: {
    200: [list, { ...list, known: {} }, page('search=docs&sort=attention&offset=1&limit=1000')],
    400: [malformed(list), page('limit=0'), page('limit=1001'), page('sort=name'), page('offset=-1')],
    ...always(list),
  },
  getDomain: {
    200: [find('docs.shop.test'), find('DOCS.shop.test.')],
    404: [find('new.shop.test'), find('orders.platform.test')],
    ...withoutBody(find('docs.shop.test')),
  },
  addDomain: {
    201: [
      add('new.shop.test'),
      add('Bücher.example'),
      { ...add('docs.shop.test'), known: {} },
      add('www.shop.test', 'from-www'),
    ],
    400: [
      ...[add('localhost'), add('orders.platform.test'), ask('POST', '/domains', { domain: 5 })],
      ...[add('new.shop.test', 'to-www'), add('b.test', 'both')],
    ],
    403: [{ ...add('new.shop.test'), known: { plan: 'free' } }],
    409: [add('DOCS.shop.test.'), { ...add('new.shop.test'), known: { isDeployed: false } }],
    ...withBody(add('new.shop.test')),
  },
  getPairChoices: {
    200: [choices('b.test'), choices('new.shop.test'), choices('b%2Fc')],
    ...withoutBody(choices('b.test')),
  },
  removeDomain: {
    204: [remove('docs.shop.test')],
    404: [remove('new.shop.test')],
    ...withoutBody(remove('docs.shop.test')),
  },
  verifyDomain: {
    202: [verify('shop.test'), verify('bad.shop.test'), verify('docs.shop.test')],
    404: [verify('new.shop.test')],
    ...withoutBody(verify('shop.test')),
    429: [verify('asked.shop.test'), withInvalidKey(verify('shop.test'))],
  },
  reissueCertificate: {
    202: [reissue('docs.shop.test'), reissue('shop.test')],
    404: [reissue('new.shop.test')],
    ...withoutBody(reissue('shop.test')),
    429: [reissue('asked.shop.test'), withInvalidKey(reissue('shop.test'))],
  },
  revokeDomain: {
    204: [
      ask('POST', '/domains/docs.shop.test/revoke', { reason: 'keyCompromise', keep: true }),
      revoke('docs.shop.test'),
    ],
    400: [revoke('docs.shop.test', 'cACompromise'), ask('POST', '/domains/docs.shop.test/revoke', {})],
    404: [revoke('new.shop.test')],
    502: [{ ...revoke('docs.shop.test'), known: { ...shop, revoker: unrevocable } }],
    ...withBody(revoke('docs.shop.test')),
  },
  setRedirect: {
    200: [redirect('shop.test'), redirect('old.shop.test', { status: 307 })],
    400: [redirect('shop.test', { status: '301' }), redirect('shop.test', { status: 303 })],
    404: [redirect('new.shop.test')],
    409: [
      redirect('docs.shop.test'),
      { ...redirect('shop.test'), known: { ...shop, configuration: { roles: new Map(), redirects: new Map() } } },
    ],
    ...withBody(redirect('shop.test')),
  },
  removeRedirect: {
    200: [serve('old.shop.test'), serve('shop.test')],
    404: [serve('new.shop.test')],
    ...withoutBody(serve('old.shop.test')),
  },
  setPrimaryDomain: {
    200: [makePrimary('old.shop.test'), makePrimary('docs.shop.test')],
    400: [ask('PUT', '/primary', {}), ask('PUT', '/primary', { domain: '' })],
    404: [makePrimary('new.shop.test')],
    ...withBody(makePrimary('old.shop.test')),
  },
}

const { operations } = modelOf(loadDocument(dashboardDocument))
const pairsOf = (table: Record<string, object>) =>
  Object.entries(table).flatMap(([id, byStatus]) => Object.keys(byStatus).map((status) => `${id} ${status}`))

t.test('every declared response is triggered, and no other', async (t) => {
  const declared = operations.flatMap(({ id, responses }) => responses.map(({ status }) => `${id} ${status}`))
  const expected = declared.filter((pair) => !byTheServer.some((status) => pair.endsWith(status)))
  t.strictSame(pairsOf(requests).sort(), expected.sort())
})

const rateLimits = { failedAuthentications: { max: 0, seconds: 60 } }
const afterInvalidKeys = await buildDashboard(t, shop, { rateLimits })

for (const { id: operationId, responses } of operations) {
  t.test(`${operationId} responds as declared`, async (t) => {
    const shared = await buildDashboard(t)
    for (const [declared, all] of Object.entries(requests[operationId] ?? {})) {
      for (const { method, path, body, headers, known, isAfterInvalidKeys } of all) {
        const { call } = isAfterInvalidKeys ? afterInvalidKeys : known ? await buildDashboard(t, known) : shared
        const response = await call(method, path, body, headers)
        const what = `${declared} ${method} ${path} ${JSON.stringify({ body, headers, known })}`
        t.equal(String(response.statusCode), declared, what)
        const json = jsonOf(responseOf({ responses }, declared))
        t.equal(response.headers['content-type'], json && 'application/json', what)
        if (json?.schema) t.equal(validationErrors(response.json(), json.schema), undefined, what)
        else t.equal(response.body, '', what)
        t.equal(response.headers['cache-control'], 'no-store', what)
      }
    }
  })
}
