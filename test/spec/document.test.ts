import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Document } from 'exact-openapi'
import { modelOf, requireValid, withServers } from 'exact-openapi/model'
import t from 'tap'
import { errors as dashboardErrors } from '../../domains/api/errors.ts'
import { dashboardDocument } from '../../domains/api/index.ts'
import { loadDocument, prepareDocument, withPublicServers } from '../../spec/document.ts'
import { errors } from '../../spec/errors.ts'
import { prepared } from '../../spec/prepared.ts'
import { loadOrders } from '../../store/memory/load.ts'
import { prepareFor } from '../fixtures/prepared.ts'

const file = new URL('../../spec/openapi.yaml', import.meta.url)
const document = loadDocument()
const model = modelOf(document)
const dashboard = modelOf(loadDocument(dashboardDocument))

/** Every value in `value`, itself included. */
function within(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : [value]
}

t.test('the document is spec/openapi.yaml, or the given file', async (t) => {
  t.strictSame(document, loadDocument(file))
  t.equal(dashboardDocument.href, new URL('../../domains/api/dashboard.yaml', import.meta.url).href)
  t.equal(model.info.title, 'Store Orders')
})

t.test('the document is deeply frozen', async (t) => {
  const values = within(document)
  t.ok(values.length > 300)
  t.ok(values.every(Object.isFrozen))
})

t.test('what the build has prepared is used for exactly the text that it was prepared for', async (t) => {
  const text = `a: 9007199254740993 # ${randomUUID()}`
  const folder = t.testdir({ 'same.yaml': text, 'changed.yaml': text.replace('a:', 'b:'), 'again.yaml': text })
  const load = (name: string) => loadDocument(pathToFileURL(`${folder}/${name}.yaml`))
  const result = { id: 9007199254740993n, list: [0.5, null, 'é'] }
  const { damage } = prepareFor(t, text, result)
  t.strictSame(load('same'), result)
  t.ok(Object.isFrozen(load('same')))
  t.strictSame(load('changed'), { b: 9007199254740993n })
  damage((whole) => whole.subarray(0, -1))
  t.strictSame(load('again'), { a: 9007199254740993n })
  prepareDocument(pathToFileURL(`${folder}/again.yaml`))
  t.strictSame(prepared(text), { a: 9007199254740993n })
})

t.test('a document that the build has prepared is checked all the same', async (t) => {
  const text = `openapi: 3.0.3\ninfo: { title: T }\npaths: {}\n# ${randomUUID()}`
  prepareFor(t, text, { openapi: '3.0.3', info: { title: 'T' }, paths: {} })
  const file = pathToFileURL(`${t.testdir({ 'document.yaml': text })}/document.yaml`)
  const message = "the document is not valid OpenAPI: info must have required property 'version'"
  t.throws(() => requireValid(loadDocument(file)), { message })
})

t.test('the public addresses replace the relative one', async (t) => {
  const [own] = model.servers
  const production = { url: 'https://api.example.com/v1', description: 'Production' }
  const staging = { url: 'https://staging.example.com/v1', description: 'Staging' }
  t.strictSame(own, { url: '/v1', description: 'This server' })
  t.strictSame(withPublicServers(document, {}), document)
  const serversOf = (document: Document) => modelOf(document).servers
  t.strictSame(serversOf(withPublicServers(document, { production: production.url })), [production])
  t.strictSame(serversOf(withPublicServers(document, { staging: staging.url })), [own, staging])

  const served = withPublicServers(document, { production: production.url, staging: staging.url })
  t.strictSame(served, { ...document, servers: [production, staging] })
  t.ok(within(served).every(Object.isFrozen))
  t.strictSame(serversOf(withPublicServers(withServers(document, []), {})), [])
})

const codesOf = ({ schemas }: typeof model) => schemas.get('ErrorCode')?.['x-extensible-enum'] ?? []

t.test('the codes are exactly those of the documents', async (t) => {
  const codes = new Set([model, dashboard].flatMap(codesOf))
  const sorted = (names: Iterable<string>) => [...names].toSorted()
  t.strictSame(sorted(Object.keys(errors)), sorted(codesOf(model)))
  t.strictSame(sorted(Object.keys(dashboardErrors)), sorted(codes))
})

t.test('the set of codes is open to consumers', async (t) => {
  for (const { schemas } of [model, dashboard]) {
    const { type, enum: closed } = schemas.get('ErrorCode') ?? {}
    t.strictSame({ type, closed }, { type: 'string', closed: undefined })
  }
})

t.test('the list links to what its orders can be used for', async (t) => {
  const list = model.operations.find(({ id }) => id === 'listOrders')
  const links = list?.responses.find(({ status }) => status === '200')?.links ?? []
  t.strictSame(Object.fromEntries(links.map(({ operationId, parameters }) => [operationId, parameters])), {
    cancelOrder: { orderId: '$response.body#/0/id' },
    getPetById: { petId: '$response.body#/0/petId' },
  })
})

t.test('no note to the owner of the service is published, even in a comment', async (t) => {
  t.notMatch(readFileSync(file, 'utf8'), /placeholder|owner|started without/i)
})

t.test('the file has no number beyond 2^53', async (t) => {
  const numbers = readFileSync(file, 'utf8').match(/\d+/g) ?? []
  t.ok(numbers.length > 100)
  const large = numbers.filter((digits) => BigInt(digits) > 2n ** 53n)
  t.strictSame(large, [])
})

t.test('the example of orderId can be cancelled in the sample, and its neighbours cannot', async (t) => {
  const cancel = model.operations.find(({ id }) => id === 'cancelOrder')
  const id = BigInt(cancel?.parameters[0]?.examples[0]?.value as number)
  const store = await loadOrders(fileURLToPath(new URL('../../store/memory/sample.ndjson', import.meta.url)))
  t.equal(await store.cancel(id - 1n), 'already_shipped')
  t.equal(await store.cancel(id + 1n), 'already_shipped')
  t.equal(await store.cancel(id), 'cancelled')
})
