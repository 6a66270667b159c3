import t from 'tap'
import { ApiError, refusal } from '../../spec/errors.ts'

t.test('a refusal has the status and the body of its code', async (t) => {
  t.strictSame(refusal('order_not_found'), {
    status: 404,
    body: { code: 'order_not_found', message: 'No order has this identifier.', status: 404 },
  })
  t.strictSame(refusal('invalid_request', 'orderId is odd.'), {
    status: 400,
    body: { code: 'invalid_request', message: 'orderId is odd.', status: 400 },
  })
})

t.test('an ApiError carries its code', async (t) => {
  const { code, message } = new ApiError('unavailable')
  t.strictSame({ code, message }, { code: 'unavailable', message: 'The server is shutting down.' })
  t.equal(new ApiError('unavailable', 'Not now.').message, 'Not now.')
})

// An unknown code does not compile.
void (() => refusal('not_found'))
// @ts-expect-error
void (() => refusal('nonsense'))
// @ts-expect-error
void (() => new ApiError('nonsense'))
