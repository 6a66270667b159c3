import t from 'tap'
import { type Change, describeChanges } from '../../../spec/scripts/describe-changes.ts'

const operations = ['GET /store/orders', 'DELETE /store/orders/{orderId}']
const list = '#/paths/~1store~1orders/get'
const cancel = '#/paths/~1store~1orders~1{orderId}/delete'

/** What is said of changes, line by line. */
const linesOf = (...changes: Change[]) => describeChanges(changes, operations).split('\n')

function change(path: string, kind: Change['kind'], rest: Partial<Change> = {}): Change {
  return { path, kind, impact: 'minor', verdicts: [], ...rest }
}

t.test('changes of every operation are listed once', async (t) => {
  const changes = [list, cancel].flatMap((operation) => [
    change(`${operation}/responses/403`, 'added'),
    change(`${operation}/responses/200/headers/RateLimit`, 'added'),
    change(`${operation}/responses/400/headers/RateLimit`, 'added'),
    change(`${operation}/x-codeSamples/0`, 'added'),
  ])
  t.strictSame(linesOf(...changes), [
    '- Added to every operation: response 403.',
    '- Added to every operation: header `RateLimit`.',
    '- Added to every operation: code samples.',
  ])
})

t.test('changes of some operations are listed with them', async (t) => {
  const changes = [
    change(`${list}/responses/304`, 'removed'),
    change(`${list}/responses/200/links/cancelOrder`, 'added'),
    change(`${cancel}/responses/204/headers/X-Request-Id/schema`, 'modified', { property: 'pattern' }),
    change(`${cancel}/x-stability`, 'added'),
    change(cancel, 'modified', { property: 'operationId' }),
    change(`${cancel}/security/0`, 'modified'),
  ]
  t.strictSame(linesOf(...changes), [
    '- Removed from `GET /store/orders`: response 304.',
    '- Added to `GET /store/orders`: links of response 200.',
    '- Changed in `DELETE /store/orders/{orderId}`: `pattern` of header `X-Request-Id`.',
    '- Added to `DELETE /store/orders/{orderId}`: `x-stability`.',
    '- Changed in `DELETE /store/orders/{orderId}`: `operationId`.',
    '- Changed in `DELETE /store/orders/{orderId}`: `/security/0`.',
  ])
})

t.test('parameters are named with their place, one by one or as a list', async (t) => {
  const status = { name: 'status', in: 'query', schema: { type: 'string' } }
  const added = (value: unknown, at = '') =>
    linesOf(change(`${list}/parameters${at}`, 'added', { revision: { value } }))
  t.strictSame(added(status, '/2'), ['- Added to `GET /store/orders`: optional query parameter `status`.'])
  t.strictSame(added([status, { ...status, name: 'limit' }, { $ref: '#/components/parameters/Page' }]), [
    '- Added to `GET /store/orders`: optional query parameter `status`.',
    '- Added to `GET /store/orders`: optional query parameter `limit`.',
    '- Added to `GET /store/orders`: parameter `Page`.',
  ])
  const base = { value: [{ name: 'X-Id', in: 'header', required: true }] }
  const removed = linesOf(change(`${list}/parameters`, 'removed', { base }))
  t.strictSame(removed, ['- Removed from `GET /store/orders`: required header parameter `X-Id`.'])
  const verdicts = [{ message: 'Required `id` query parameter was added.' }]
  const breaking = change(`${list}/parameters`, 'added', { verdicts, revision: { value: [status] } })
  const said = '- **Breaking** in `GET /store/orders`: Required `id` query parameter was added.'
  t.strictSame(linesOf(breaking), [said])
})

t.test('a change of a schema is listed with the schema', async (t) => {
  const path = `${list}/responses/200/content/application~1json/schema/items/properties/quantity`
  const revision = { pointer: '#/components/schemas/Order/properties/quantity/maximum', value: 9 }
  const changed = change(path, 'modified', { property: 'maximum', revision })
  const removed = change(path, 'removed', { base: { pointer: '#/components/schemas/Order/properties/quantity' } })
  t.strictSame(linesOf(changed, removed), [
    '- Changed in `Order`: `maximum` of field `quantity`.',
    '- Removed from `Order`: field `quantity`.',
  ])
})

t.test('breaking changes come first, in the words of the tool', async (t) => {
  const verdicts = [{ message: 'Property `id` of `Pet` was removed.' }]
  const changes = [
    change(`${list}/responses/403`, 'added'),
    change(`${list}/responses/200/schema/properties/id`, 'removed', { verdicts, impact: 'major' }),
  ]
  t.strictSame(linesOf(...changes), [
    '- **Breaking** in `GET /store/orders`: Property `id` of `Pet` was removed.',
    '- Added to `GET /store/orders`: response 403.',
  ])
})

t.test('new operations are named', async (t) => {
  const value = { get: {}, post: {}, parameters: [] }
  const changes = [
    change('#/paths/~1a~0b', 'added', { revision: { value } }),
    change('#/paths/~1store~1orders/post', 'removed'),
    change('#/servers/0', 'modified', { property: 'url' }),
  ]
  t.strictSame(linesOf(...changes), [
    '- Added to the API: `GET /a~b`, `POST /a~b`.',
    '- Removed from the API: `POST /store/orders`.',
    '- Changed in the API: `url` of `#/servers/0`.',
  ])
})

t.test('changes of wording, examples and components are omitted', async (t) => {
  const changes = [
    ...['description', 'summary', 'title', 'example'].map((property) => change(list, 'modified', { property })),
    change('#/info', 'modified', { property: 'version' }),
    change('#/tags/1', 'modified', { property: 'name' }),
    change(`${list}/responses/200/content/application~1json/examples/orders`, 'added'),
    change('#/components/responses/Forbidden', 'added'),
  ]
  t.strictSame(linesOf(...changes), [''])
})
