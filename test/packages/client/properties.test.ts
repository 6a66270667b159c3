import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { plainCopy } from 'exact-openapi/model'
import t from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { createClient, StoreOrdersError, UnexpectedResponseError } from '../../../packages/client/index.ts'
import { loadDocument } from '../../../spec/document.ts'
import { bodyText, errorText } from './bodies.ts'

type Outcome = PromiseSettledResult<unknown>

/** Without the bounds of numbers: the server enforces them, and a later version may widen them. */
const { components } = JSON.parse(JSON.stringify(plainCopy(loadDocument())), (name, value) =>
  name === 'minimum' || name === 'maximum' ? undefined : value,
)

/** Checks a body against the document, independently of the client. */
function reader(schema: object): (body: unknown) => boolean {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  return ajv.compile({ components, ...schema })
}
const isList = reader({ type: 'array', items: { $ref: '#/components/schemas/Order' } })
const isPet = reader({ $ref: '#/components/schemas/Pet' })
const isError = reader({ $ref: '#/components/schemas/Error' })
/** The set of codes is open to a client. */
const isErrorOf = (status: number, body: unknown) => {
  const { code, ...others } = Object(body)
  return typeof code === 'string' && isError({ ...others, code: 'not_found' }) && others.status === status
}

const json = 'application/json'
const empty = new Set([204, 205, 304])

/** How each call reads a response. */
async function outcomes({ status, type, body }: { status: number; type?: string | undefined; body: string }) {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  const bytes = empty.has(status) ? null : new TextEncoder().encode(body)
  const fetch = async () => new Response(bytes, { status, headers })
  const client = createClient({ baseUrl: 'http://127.0.0.1/v1', apiKey: 'test-key', retries: 0, fetch })
  const calls = [client.listOrders(), client.cancelOrder(1n), client.getPetById(1n)] as const
  const [list, cancel, pet] = await Promise.allSettled(calls)
  return { list, cancel, pet }
}

const reasonOf = (outcome: Outcome): unknown => ('reason' in outcome ? outcome.reason : undefined)
const isRefused = (outcome: Outcome) => reasonOf(outcome) instanceof StoreOrdersError
const isUnexpected = (outcome: Outcome) => reasonOf(outcome) instanceof UnexpectedResponseError

/** The value of a call as plain JSON, which has neither bigints nor -0. */
const toJson = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each))

t.test('a success resolves with its body exactly if the document describes it', longTest(), async (t) => {
  const resolved = { list: 0, pet: 0 }
  const property = fc.asyncProperty(bodyText, async (text) => {
    const body = JSON.parse(text)
    const { list, pet, cancel } = await outcomes({ status: 200, type: json, body: text })
    const isAsDocumented = (outcome: Outcome, isDocumented: boolean) =>
      outcome.status === 'fulfilled'
        ? isDocumented && toJson(outcome.value) === text
        : !isDocumented && isUnexpected(outcome)
    if (list.status === 'fulfilled') resolved.list++
    if (pet.status === 'fulfilled') resolved.pet++
    return isAsDocumented(list, isList(body)) && isAsDocumented(pet, isPet(body)) && isUnexpected(cancel)
  })
  await t.resolves(fc.assert(property, { numRuns: runsOf(400) }))
  t.ok(resolved.list > 3 && resolved.pet > 3, 'some bodies are valid')
})

t.test('a failure is a StoreOrdersError exactly if its body is an Error with its status', longTest(), async (t) => {
  let refused = 0
  const statuses = fc.constantFrom(404, 500, 503)
  const property = fc.asyncProperty(statuses, fc.oneof(errorText, bodyText), async (status, body) => {
    const isError = isErrorOf(status, JSON.parse(body))
    if (isError) refused++
    return Object.values(await outcomes({ status, type: json, body })).every(isError ? isRefused : isUnexpected)
  })
  await t.resolves(fc.assert(property, { numRuns: runsOf(400) }))
  t.ok(refused > 3, 'some are Errors')
})

t.test('any other response, whatever its text, rejects with one of the two errors', longTest(), async (t) => {
  const cut = bodyText.map((text) => text.slice(0, -1))
  const response = fc.record({
    status: fc.oneof(fc.constantFrom(200, 204, 304, 404, 500), fc.integer({ min: 200, max: 599 })),
    type: fc.constantFrom(json, 'text/html', 'text/json', undefined),
    body: fc.oneof(fc.string(), bodyText, cut),
  })
  const property = fc.asyncProperty(response, async (response) => {
    const { list, cancel, pet } = await outcomes(response)
    const isAllowed = (outcome: Outcome, mayResolve: boolean) =>
      outcome.status === 'fulfilled' ? mayResolve : isRefused(outcome) || isUnexpected(outcome)
    const mayBeRead = response.status === 200 && response.type === json
    return isAllowed(list, mayBeRead) && isAllowed(pet, mayBeRead) && isAllowed(cancel, response.status === 204)
  })
  await t.resolves(fc.assert(property, { numRuns: runsOf(400) }))
})
