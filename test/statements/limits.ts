// Rate limits, polling and CORS.
import { rateLimiter } from '../../http/gcra.ts'
import { answers, type Check, codesIn, info, list, model, numbersIn, order, pet, serve } from './server.ts'

const once = { max: 1, seconds: 3600 }
/** Requests, seconds, the remaining quota and its next increase, from the guide's example. */
const quota = numbersIn(String(/RateLimit-Policy: .*\n.*/.exec(info.description)))
const origin = 'https://shop.example.com'

/** A limiter at a time that the caller sets, in seconds. */
function clocked(max: number, seconds: number) {
  const clock = { seconds: 0 }
  const count = rateLimiter({ max, seconds }, () => clock.seconds * 1000)
  return { clock, count: () => count('client') }
}

const beyond: Check = async (t) => {
  const { ask } = await serve(t, { limits: { requests: once } })
  await ask('HEAD', list)
  const { status, body, headers } = await ask('DELETE', order(1007))
  t.strictSame([status, body.code], [429, 'rate_limited'])
  t.ok(Number(headers['retry-after']) > 0)
  const other = await ask('GET', list, { authorization: 'Bearer read-only-key' })
  t.ok(other.body.some(({ id }: { id: number }) => id === 1007))
}

const invalidKeys: Check = async (t) => {
  const { ask } = await serve(t, { limits: { failedAuthentications: once } })
  const statuses = []
  for (const key of ['wrong', 'wrong', 'test-key']) {
    statuses.push((await ask('GET', list, { authorization: `Bearer ${key}` })).status)
  }
  t.strictSame(statuses, [401, 429, 200])
}

const recovers: Check = async (t) => {
  const { clock, count } = clocked(2, 60)
  for (const isAllowed of [true, true, false, false]) t.equal(count().isAllowed, isAllowed)
  const { nextIn } = count()
  t.equal(nextIn, 30)
  clock.seconds = nextIn - 0.1
  t.match(count(), { isAllowed: false, nextIn: 1 })
  clock.seconds = nextIn
  for (const isAllowed of [true, false]) t.equal(count().isAllowed, isAllowed)
}

const polls: Check = async (t) => {
  const { ask } = await serve(t)
  const { etag = '' } = (await ask('GET', list)).headers
  const { status, body } = await ask('GET', list, { 'if-none-match': etag })
  t.strictSame([status, body], [304, ''])
  await ask('DELETE', order(1007))
  t.equal((await ask('GET', list, { 'if-none-match': etag })).status, 200)
}

const preflight = { origin, 'access-control-request-method': 'DELETE', authorization: '' }
const lowered = (names: readonly string[]) => names.map((name) => name.toLowerCase())

const onlyWithQuota: Check = async (t) => {
  const [limited, free] = [await serve(t, { limits: { requests: once } }), await serve(t)]
  for (const name of ['ratelimit', 'ratelimit-policy']) {
    t.ok(name in (await limited.ask('GET', pet(1))).headers)
    t.notOk(name in (await limited.ask('GET', pet(1), { authorization: '' })).headers)
    t.notOk(name in (await free.ask('GET', pet(1))).headers)
  }
}

export const limits: Record<string, Check> = {
  'If the operator has set a quota': onlyWithQuota,
  'headers-RateLimit-Policy: Sent if the operator of the service has set one': onlyWithQuota,
  'RateLimit-Policy: "default"': async (t, block) => {
    const [policy = '', state = ''] = block.split('\n')
    const [max = 0, seconds = 0, remaining = 0, reset] = quota
    const { ask } = await serve(t, { limits: { requests: { max, seconds } } })
    t.equal(`RateLimit-Policy: ${(await ask('GET', pet(1))).headers['ratelimit-policy']}`, policy)
    const { count } = clocked(max, seconds)
    for (let used = 1; used < max - remaining; used++) count()
    t.match(count(), { remaining, nextIn: reset })
    t.match(state, `"default";r=${remaining};t=${reset}`)
  },
  'The quota refills by': async (t, statement) => {
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
  'Requests beyond the quota': async (t, statement) => {
    await beyond(t, statement)
    await recovers(t, statement)
  },
  '`Retry-After` is the time': recovers,
  'all others do, also `HEAD`': async (t) => {
    const { ask } = await serve(t, { limits: { requests: { max: 4, seconds: 3600 } } })
    const { etag = '' } = (await ask('GET', list)).headers
    const responses = [
      await ask('HEAD', list),
      await ask('GET', list, { 'if-none-match': etag }),
      await ask('GET', pet(1)),
    ]
    t.strictSame(
      responses.map(({ status, headers }) => [status, Number(/r=(\d)/.exec(String(headers.ratelimit))?.[1])]),
      [
        [200, 2],
        [304, 1],
        [404, 0],
      ],
    )
  },
  'Each instance of the server counts for itself': async (t) => {
    for (const _ of ['one', 'another']) {
      const { ask } = await serve(t, { limits: { requests: once } })
      t.equal((await ask('GET', list)).status, 200)
    }
  },
  'Too many requests with invalid keys from one address': invalidKeys,
  'Valid keys keep working there': invalidKeys,
  'Send the `ETag` of the last list': polls,
  'the response is 304 without a body': polls,
  'The response has an `ETag`': polls,
  'listOrders-304: The list has not changed since the one identified by `If-None-Match`.': polls,
  'The `ETag` depends on the listed orders alone': async (t) => {
    const [{ ask }, another] = [await serve(t), await serve(t)]
    const { etag } = (await ask('GET', list)).headers
    const zipped = await ask('GET', list, { 'accept-encoding': 'gzip' })
    t.equal(zipped.headers['content-encoding'], 'gzip')
    t.strictSame([zipped.headers.etag, (await another.ask('GET', list)).headers.etag], [etag, etag])
  },
  'Requests from other pages fail': async (t) => {
    const { ask } = await serve(t, { corsOrigins: [origin] })
    const { headers } = await ask('GET', list, { origin: 'https://other.example.com' })
    t.not(headers['access-control-allow-origin'], 'https://other.example.com')
    t.not(headers['access-control-allow-origin'], '*')
  },
  'Pages of a listed origin can use': async (t, statement) => {
    const { ask } = await serve(t, { corsOrigins: [origin] })
    const { headers } = await ask('OPTIONS', list, preflight)
    const allowed = (name: 'methods' | 'headers') => String(headers[`access-control-allow-${name}`]).split(', ')
    const parameters = model.operations.flatMap((operation) => operation.parameters)
    const names = parameters.filter((one) => one.in === 'header').map(({ name }) => name)
    const hasBody = model.operations.some(({ body }) => body)
    const methods = model.operations.map(({ method }) => method)
    t.strictSame(new Set(allowed('methods')), new Set([...methods, 'HEAD']))
    t.strictSame(
      new Set(allowed('headers')),
      new Set(lowered([...codesIn(statement), ...names, ...(hasBody ? ['Content-Type'] : [])])),
    )
  },
  'They can read all [response headers]': async (t) => {
    const readable = answers.filter(({ headers }) => 'access-control-allow-origin' in headers)
    t.ok(readable.length > 0)
    for (const { headers } of readable) t.equal(headers['access-control-expose-headers'], '*')
  },
}
