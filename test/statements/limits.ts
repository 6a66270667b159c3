// Rate limits and polling.
import { rateLimiter } from '../../packages/http-edge/src/gcra.ts'
import { answers, type Check, info, list, numbersIn, order, pet, serve } from './server.ts'

/** Requests, seconds, the remaining quota and its next increase, from the guide's example. */
const quota = numbersIn(String(/RateLimit-Policy: .*\n.*/.exec(info.description)))

/** A limiter at a time that the caller sets, in seconds. */
function clocked(max: number, seconds: number) {
  const clock = { seconds: 0 }
  const count = rateLimiter({ max, seconds }, () => clock.seconds * 1000)
  return { clock, count: () => count('client') }
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
  'Each instance of the server counts for itself.': async (t) => {
    const rateLimits = { requests: { max: 1, seconds: 3600 } }
    for (const { ask } of [await serve(t, { rateLimits }), await serve(t, { rateLimits })])
      t.equal((await ask('GET', list)).status, 200)
  },
  'Send the `ETag` of the last list with the next request.': polls,
  'While the list is unchanged, the response is 304 without a body:': polls,
  'Send it as `If-None-Match` with the next request: while the list is unchanged, the response is 304 without a body.':
    polls,
  'The response has an `ETag`.': polls,
  'listOrders-304: The list has not changed since the one identified by `If-None-Match`.': polls,
  'The `ETag` depends on the listed orders alone: it is the same with and without gzip, on every instance and after a restart.':
    isSameEverywhere,
  'They can read all [response headers](#headers).': async (t) => {
    const readable = answers.filter(({ headers }) => 'access-control-allow-origin' in headers)
    t.ok(readable.length > 0)
    for (const { headers } of readable) t.equal(headers['access-control-expose-headers'], '*')
  },
}
