import { modelOf } from 'exact-openapi'
import t from 'tap'
import { dashboardDocument, dashboardHandlers, type Handlers } from '../../../domains/api/index.ts'
import { loadDocument } from '../../../spec/document.ts'

type Handler<Id extends keyof Handlers> = Handlers[Id]

t.test('the table has exactly one handler per operation of the document', async (t) => {
  const operationIds = modelOf(loadDocument(dashboardDocument)).operations.map(({ id }) => id)
  t.strictSame(Object.keys(dashboardHandlers).sort(), operationIds.sort())
})

// The rest is checked by tsc: of each group the first line compiles, and the others differ from it in one point each.
const { verifyDomain, ...others } = dashboardHandlers
const body = { code: 'rate_limited', message: 'Wait.', status: 429 } as const

// A missing handler, and one of another operation, do not compile.
void ({ verifyDomain, ...others } satisfies Handlers)
// @ts-expect-error
void (others satisfies Handlers)
// @ts-expect-error
void ({ verifyDomain: others.addDomain, ...others } satisfies Handlers)

// A handler gets the body that the document describes.
void ((async ({ body: { domain } }) => notFound(domain)) satisfies Handler<'setPrimaryDomain'>)
// @ts-expect-error
void ((async ({ body: { host } }) => notFound(host)) satisfies Handler<'setPrimaryDomain'>)
void ((async ({ path: { domain } }) => notFound(domain)) satisfies Handler<'removeDomain'>)
// @ts-expect-error a body where none is described
void ((async ({ body: { domain } }) => notFound(domain)) satisfies Handler<'removeDomain'>)

// A reply may have headers in addition to its body.
void ((async () => ({ status: 429, body, headers: { 'retry-after': '30' } })) satisfies Handler<'verifyDomain'>)
// @ts-expect-error
void ((async () => ({ status: 429, body, headers: { 'retry-after': 30 } })) satisfies Handler<'verifyDomain'>)

// A code of the public API does not compile.
void ((async () => ({ status: 429, body })) satisfies Handler<'verifyDomain'>)
// @ts-expect-error
void ((async () => ({ status: 429, body: { ...body, code: 'order_not_found' } })) satisfies Handler<'verifyDomain'>)

function notFound(message: string) {
  return { status: 404, body: { code: 'domain_not_found', message, status: 404 } } as const
}
