import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import { createClient, StoreOrdersError, UnexpectedResponseError } from '../../client/index.ts'
import { loadDocument } from '../../spec/document.ts'
import { bodyText, errorText } from './bodies.ts'

type Outcome = PromiseSettledResult<unknown>

/** Without bounds of numbers: keeping them is the server's part, and a later version may widen them. */
const schemas = JSON.parse(JSON.stringify(loadDocument().components?.schemas), (name, value) =>
  name === 'minimum' || name === 'maximum' ? undefined : value,
)

/** What the document says of a body, by a reader of its own. */
function reader(schema: object): (body: unknown) => boolean {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  return ajv.compile({ components: { schemas }, ...schema })
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

/** What each call makes of an answer. */
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

/** The value of a call as the document's reader has it; JSON has neither a bigint nor -0. */
const toJson = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each))

t.test('a success resolves exactly when the document describes its body, and then with that body', async (t) => {
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
  await t.resolves(fc.assert(property, { numRuns: 1000 }))
  t.ok(resolved.list > 10 && resolved.pet > 10, 'of the bodies, some are right')
})

t.test('a failure is a StoreOrdersError exactly when its body is an Error of its status', async (t) => {
  let refused = 0
  const property = fc.asyncProperty(
    fc.constantFrom(404, 500, 503),
    fc.oneof(errorText, bodyText),
    async (status, body) => {
      const isError = isErrorOf(status, JSON.parse(body))
      if (isError) refused++
      return Object.values(await outcomes({ status, type: json, body })).every(isError ? isRefused : isUnexpected)
    },
  )
  await t.resolves(fc.assert(property, { numRuns: 1000 }))
  t.ok(refused > 10, 'some are Errors')
})

t.test('any other answer, of whatever text, rejects with one of the two errors', async (t) => {
  const answer = fc.record({
    status: fc.oneof(fc.constantFrom(200, 204, 304, 404, 500), fc.integer({ min: 200, max: 599 })),
    type: fc.constantFrom(json, 'text/html', 'text/json', undefined),
    body: fc.oneof(
      fc.string(),
      bodyText,
      bodyText.map((text) => text.slice(0, -1)),
    ),
  })
  const property = fc.asyncProperty(answer, async (answer) => {
    const { list, cancel, pet } = await outcomes(answer)
    const isAllowed = (outcome: Outcome, mayResolve: boolean) =>
      outcome.status === 'fulfilled' ? mayResolve : isRefused(outcome) || isUnexpected(outcome)
    const mayBeRead = answer.status === 200 && answer.type === json
    return isAllowed(list, mayBeRead) && isAllowed(pet, mayBeRead) && isAllowed(cancel, answer.status === 204)
  })
  await t.resolves(fc.assert(property, { numRuns: 1000 }))
})
