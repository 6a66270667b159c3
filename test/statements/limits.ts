// Rate limits, polling and CORS.
import { rateLimiter } from '../../packages/http-edge/src/gcra.ts'
import { answers, type Check, info, numbersIn, pet, provenBy, serve } from './server.ts'

/** Requests, seconds, the remaining quota and its next increase, from the guide's example. */
const quota = numbersIn(String(/RateLimit-Policy: .*\n.*/.exec(info.description)))

/** A limiter at a time that the caller sets, in seconds. */
function clocked(max: number, seconds: number) {
  const clock = { seconds: 0 }
  const count = rateLimiter({ max, seconds }, () => clock.seconds * 1000)
  return { clock, count: () => count('client') }
}

const rateLimits = 'test/plugins/rate-limits.test.ts'
const quotaIsShown = provenBy(rateLimits, 'every response shows the quota of the key; beyond it, requests get 429')
const onlyWithQuota = provenBy(rateLimits, 'requests without a valid key and other paths have no quota')
const invalidKeys = provenBy(
  rateLimits,
  'an address with too many invalid keys gets 429 for further ones; valid keys still work',
)
const polls = provenBy(
  'test/plugins/list/index.test.ts',
  'a client that has the list gets 304 without a body',
  'a client with another version gets the list',
)

export const limits: Record<string, Check> = {
  'If the operator has set a quota, the response to every authenticated request states it:': onlyWithQuota,
  'headers-RateLimit-Policy: Sent if the operator of the service has set one and the request has been authenticated.':
    onlyWithQuota,
  'RateLimit-Policy: "default";q=600;w=60\nRateLimit: "default";r=180;t=1': async (t, block) => {
    const [policy = '', state = ''] = block.split('\n')
    const [max = 0, seconds = 0, remaining = 0, reset] = quota
    const { ask } = await serve(t, { rateLimits: { requests: { max, seconds } } })
    t.equal(`RateLimit-Policy: ${(await ask('GET', pet(1))).headers['ratelimit-policy']}`, policy)
    const { count } = clocked(max, seconds)
    for (let used = 1; used < max - remaining; used++) count()
    t.match(count(), { remaining, nextIn: reset })
    t.match(state, `"default";r=${remaining};t=${reset}`)
  },
  'After 420 of 600 requests, 180 remain. The quota refills by 10 requests a second and is full after 42 seconds.':
    async (t, statement) => {
      const [max = 0, window = 0] = quota
      const [used = 0, all, remaining = 0, rate = 0, full = 0] = numbersIn(statement)
      t.equal(all, max)
      const { clock, count } = clocked(max, window)
      const uses = (times: number) => Array.from({ length: times }, count).at(-1)?.remaining
      t.equal(uses(used), remaining)
      clock.seconds = 1
      t.equal(uses(1), remaining + rate - 1)
      clock.seconds = full + 0.1 // for the one in between
      t.equal(uses(1), max - 1)
    },
  'Requests beyond the quota are rejected with 429 and do not count; all others do, also `HEAD` and a 304.':
    quotaIsShown,
  '`Retry-After` is the time until one is accepted.': provenBy(
    'packages/http-edge/test/gcra.test.ts',
    'a rejected request does not count, and shows when one is accepted',
  ),
  'Each instance of the server counts for itself.': quotaIsShown,
  'Too many requests with invalid keys from one address are rejected, too.': invalidKeys,
  'Valid keys keep working there.': invalidKeys,
  'Send the `ETag` of the last list with the next request.': polls,
  'While the list is unchanged, the response is 304 without a body:': polls,
  'Send it as `If-None-Match` with the next request: while the list is unchanged, the response is 304 without a body.':
    polls,
  'The response has an `ETag`.': polls,
  'listOrders-304: The list has not changed since the one identified by `If-None-Match`.': polls,
  'The `ETag` depends on the listed orders alone: it is the same with and without gzip, on every instance and after a restart.':
    provenBy('test/plugins/list/index.test.ts', 'gzip is sent if the client prefers it'),
  'Requests from other pages fail without a status; send them from your own server instead.': provenBy(
    'test/packages/http-edge/fastify/cors.test.ts',
    'a page of another origin cannot read responses',
  ),
  'Pages of a listed origin can use every method and request header of this reference, and send `Authorization`, `If-None-Match` and `X-Request-Id`.':
    provenBy('test/packages/http-edge/fastify/cors.test.ts', 'a preflight needs no key, on any path'),
  'They can read all [response headers](#headers).': async (t) => {
    const readable = answers.filter(({ headers }) => 'access-control-allow-origin' in headers)
    t.ok(readable.length > 0)
    for (const { headers } of readable) t.equal(headers['access-control-expose-headers'], '*')
  },
}
