// Walks the document: triggers and checks every declared response.
import type { Document } from 'exact-openapi'
import { modelOf, type Response, type Schema } from 'exact-openapi/model'
import t from 'tap'
import { loadDocument } from '../spec/document.ts'
import { answers, requests } from './document-walk/answers.ts'
import { jsonOf, responseOf, validationErrors } from './document-walk/declared.ts'
import { always, generic, readable, wrongHeaders } from './document-walk/headers.ts'
import { requestsOf, type TestRequest } from './document-walk/requests.ts'
import { authorization, build, changed } from './fixtures/app.ts'

const document = loadDocument()
const { operations, schemas } = modelOf(document)

t.test('every response that the document declares is triggered', async (t) => {
  t.strictSame(notTriggered(document), [])
})

t.test('a new status in the document counts as missing, unless an example says how to trigger it', async (t) => {
  const gone = { summary: 'Gone', value: {}, 'x-request': { path: { petId: 2 } } }
  const added = (examples: object) =>
    changed(({ paths }) => {
      const content = { 'application/json': { examples } }
      Object.assign(paths['/pets/{petId}']?.get?.responses ?? {}, { 410: { description: 'Gone.', content } })
    })
  t.strictSame(notTriggered(added({})), ['getPetById 410'])
  t.strictSame(notTriggered(added({ gone })), [])
  const [request] = requestsOf(added({ gone })).filter(({ status }) => status === '410')
  t.match(request, { method: 'GET', path: '/pets/2' })
})

for (const { operationId, declared, status, headers, body } of answers) {
  t.test(`${operationId}: ${status} matches its declaration`, async (t) => {
    t.equal(String(status), declared)
    const operation = operations.find(({ id }) => id === operationId)
    const response = operation && responseOf(operation, declared)
    t.strictSame(wrongHeaders(headers, response), [])
    t.match(headers, always)
    if (![414, 417, 431, 501].includes(status) && !body.includes('Host header')) t.match(headers, readable)
    const json = jsonOf(response)
    t.equal(headers['content-type'], json && 'application/json')
    if (json?.schema) t.equal(validationErrors(JSON.parse(body), json.schema), undefined)
    else t.equal(body, '')
  })
}

t.test('every declared header is sent', async (t) => {
  // By any operation, as some share a response.
  const unseen = operations.flatMap(({ responses }) =>
    responses.flatMap(({ status, headers }) => {
      const sent = answers.filter((answer) => answer.declared === status)
      const isSent = (name: string) => sent.some((answer) => name.toLowerCase() in answer.headers)
      return headers.filter(({ name }) => !isSent(name)).map(({ name }) => `${status} ${name}`)
    }),
  )
  t.strictSame(unseen, [])
  const undescribed = Object.keys(generic).filter((name) => !answers.some(({ headers }) => name in headers))
  t.strictSame(undescribed, [])
})

t.test('an undeclared header or property is an error, and so is a missing header', async (t) => {
  const { responses = [] } = operations.find(({ id }) => id === 'listOrders') ?? {}
  const sent = { 'x-request-id': 'a', allow: 'GET', 'content-length': '2', 'cache-control': 'no-store' }
  const wrong = (status: number, headers = {}) =>
    wrongHeaders({ ...sent, ...headers }, responseOf({ responses }, String(status)))
  t.strictSame(wrong(405), [])
  t.strictSame(wrong(401), ['www-authenticate is missing', 'allow is not declared: GET'])
  t.strictSame(wrong(405, { 'cache-control': 'public' }), ['cache-control is not declared: public'])
  const problem = 'x-request-id: a b data must match pattern "^[A-Za-z0-9._-]{1,64}$"'
  t.strictSame(wrong(405, { 'x-request-id': 'a b' }), [problem])
  t.match(validationErrors({ id: 1, name: 'a' }, schemas.get('Pet') as Schema), 'must NOT have unevaluated properties')
})

for (const { id: operationId, responses } of operations) {
  t.test(`${operationId}: the example request gets a response as in the examples`, async (t) => {
    const app = await build(t)
    const { method, path, headers, body } = requests.find((one) => one.operationId === operationId) as TestRequest
    const request = { method: method as 'GET', url: `/v1${path}`, headers: { authorization, ...headers } }
    const { statusCode, payload } = await app.inject({ ...request, ...(body !== undefined && { payload: body }) })
    const [response] = responses
    t.equal(String(statusCode), response?.status)
    for (const example of examplesOf(response)) {
      const body = JSON.parse(payload)
      const isShown = ({ id }: { id: number }) => (example as { id: number }[]).some((one) => one.id === id)
      t.strictSame(Array.isArray(body) ? body.filter(isShown) : body, example)
    }
  })
}

t.test('every example of an error equals a response of the API', async (t) => {
  const refusals = operations.flatMap(({ responses }) =>
    responses.flatMap((response) => (Number(response.status) < 400 ? [] : examplesOf(response))),
  )
  const bodies = answers.map(({ body }) => body)
  t.ok(refusals.length > 10)
  const unsent = refusals.filter((example) => !bodies.includes(JSON.stringify(example)))
  t.strictSame(unsent, [])
})

function examplesOf(response?: Response): unknown[] {
  return response?.media.flatMap(({ examples }) => examples).map(({ value }) => value) ?? []
}

function notTriggered(document: Document): string[] {
  const requested = new Set(requestsOf(document).map(({ operationId, status }) => `${operationId} ${status}`))
  const declared = modelOf(document).operations.flatMap(({ id, responses }) =>
    responses.map(({ status }) => `${id} ${status}`),
  )
  return declared.filter((pair) => !requested.has(pair))
}
