// Rate limits, polling and CORS.
import { rateLimiter } from '../../packages/http-edge/src/gcra.ts'
import { authorization } from '../fixtures/app.ts'
import { answers, type Check, codesIn, info, list, model, numbersIn, order, pet, serve } from './server.ts'

const corsOrigins = ['https://shop.example']

/** Requests, seconds, the remaining quota and its next increase, from the guide's example. */
const quota = numbersIn(String(/RateLimit-Policy: .*\n.*/.exec(info.description)))

/** A limiter at a time that the caller sets, in seconds. */
function clocked(max: number, seconds: number) {
  const clock = { seconds: 0 }
  const count = rateLimiter({ max, seconds }, () => clock.seconds * 1000)
  return { clock, count: () => count('client') }
}

const onlyWithQuota: Check = async (t) => {
  const withQuota = await serve(t, { rateLimits: { requests: { max: 5, seconds: 60 } } })
  const without = await serve(t)
  for (const [{ ask }, authorization, isStated] of [
    [withQuota, undefined, true],
    [withQuota, '', false],
    [without, undefined, false],
  ] as const) {
    const { headers } = await ask('GET', pet(504), authorization === undefined ? {} : { authorization })
    for (const name of ['ratelimit-policy', 'ratelimit']) t.equal(name in headers, isStated, name)
  }
}

const invalidKeys: Check = async (t) => {
  const { ask } = await serve(t, { rateLimits: { failedAuthentications: { max: 1, seconds: 3600 } } })
  const statusOf = async (authorization: string) => (await ask('GET', list, { authorization })).status
  t.equal(await statusOf('Bearer wrong'), 401)
  t.equal(await statusOf('Bearer wrong'), 429)
  t.equal(await statusOf(authorization), 200)
}

const polls: Check = async (t) => {
  const { ask } = await serve(t)
  const { etag } = (await ask('GET', list)).headers
  const poll = () => ask('GET', list, { 'if-none-match': String(etag) })
  t.match(await poll(), { status: 304, body: '', headers: { etag } })
  await ask('DELETE', order(1007))
  t.equal((await poll()).status, 200)
}

/** Of the list's ETag. */
export const isSameEverywhere: Check = async (t) => {
  const servers = [await serve(t), await serve(t)]
  const etags = servers.flatMap(({ ask }) =>
    ['identity', 'gzip'].map(async (encoding) => {
      const { headers } = await ask('GET', list, { 'accept-encoding': encoding })
      t.equal(headers['content-encoding'] ?? 'identity', encoding)
      return headers.etag
    }),
  )
  t.equal(new Set(await Promise.all(etags)).size, 1)
}

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
  'Requests beyond the quota are rejected with 429 and do not count; all others do, also `HEAD` and a 304.': async (
    t,
  ) => {
    const { ask } = await serve(t, { rateLimits: { requests: { max: 3, seconds: 3600 } } })
    const responses = [
      await ask('GET', list),
      await ask('HEAD', list),
      await ask('GET', list, { 'if-none-match': '*' }),
    ]
    const remaining = responses.map(({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1])
    t.strictSame(remaining, ['2', '1', '0'])
    t.equal((await ask('GET', list)).status, 429)
    const { clock, count } = clocked(1, 60)
    for (let times = 0; times < 3; times++) count()
    clock.seconds = 60
    t.match(count(), { isAllowed: true })
  },
  '`Retry-After` is the time until one is accepted.': async (t) => {
    const { clock, count } = clocked(1, 60)
    count()
    const { nextIn } = count()
    clock.seconds = nextIn - 0.1
    t.match(count(), { isAllowed: false })
    clock.seconds = nextIn
    t.match(count(), { isAllowed: true })
  },
  'Each instance of the server counts for itself.': async (t) => {
    const rateLimits = { requests: { max: 1, seconds: 3600 } }
    for (const { ask } of [await serve(t, { rateLimits }), await serve(t, { rateLimits })])
      t.equal((await ask('GET', list)).status, 200)
  },
  'Too many requests with invalid keys from one address are rejected, too.': invalidKeys,
  'Valid keys keep working there.': invalidKeys,
  'Send the `ETag` of the last list with the next request.': polls,
  'While the list is unchanged, the response is 304 without a body:': polls,
  'Send it as `If-None-Match` with the next request: while the list is unchanged, the response is 304 without a body.':
    polls,
  'The response has an `ETag`.': polls,
  'listOrders-304: The list has not changed since the one identified by `If-None-Match`.': polls,
  'The `ETag` depends on the listed orders alone: it is the same with and without gzip, on every instance and after a restart.':
    isSameEverywhere,
  'Requests from other pages fail without a status; send them from your own server instead.': async (t) => {
    const { ask } = await serve(t, { corsOrigins })
    const { headers } = await ask('GET', list, { origin: 'https://other.example' })
    t.notOk('access-control-allow-origin' in headers)
  },
  'Pages of a listed origin can use every method and request header of this reference, and send `Authorization`, `If-None-Match` and `X-Request-Id`.':
    async (t, statement) => {
      const { ask } = await serve(t, { corsOrigins })
      const [origin = ''] = corsOrigins
      const { headers } = await ask('OPTIONS', list, { origin, 'access-control-request-method': 'GET' })
      t.equal(headers['access-control-allow-origin'], origin)
      const parameters = model.operations.flatMap((operation) => operation.parameters)
      const sent = [...codesIn(statement), ...parameters.filter((one) => one.in === 'header').map(({ name }) => name)]
      for (const name of sent) t.ok(String(headers['access-control-allow-headers']).includes(name.toLowerCase()), name)
      for (const { method } of model.operations) t.ok(String(headers['access-control-allow-methods']).includes(method))
    },
  'They can read all [response headers](#headers).': async (t) => {
    const readable = answers.filter(({ headers }) => 'access-control-allow-origin' in headers)
    t.ok(readable.length > 0)
    for (const { headers } of readable) t.equal(headers['access-control-expose-headers'], '*')
  },
}
