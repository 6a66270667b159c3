import t from 'tap'
import { ApiError, errorResponse } from '../../spec/errors.ts'

t.test('an error response has the status and the body of its code', async (t) => {
  t.strictSame(errorResponse('order_not_found'), {
    status: 404,
    body: { code: 'order_not_found', message: 'No order has this identifier.', status: 404 },
  })
  t.strictSame(errorResponse('invalid_request', 'orderId is odd.'), {
    status: 400,
    body: { code: 'invalid_request', message: 'orderId is odd.', status: 400 },
  })
})

t.test('an ApiError carries its code', async (t) => {
  const { code, message } = new ApiError('rate_limited')
  t.strictSame({ code, message }, { code: 'rate_limited', message: 'Too many requests. Try again later.' })
  t.equal(new ApiError('unavailable', 'Not now.').message, 'Not now.')
})

// An unknown code does not compile.
void (() => errorResponse('not_found'))
// @ts-expect-error
void (() => errorResponse('nonsense'))
// @ts-expect-error
void (() => new ApiError('nonsense'))
