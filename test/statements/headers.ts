// Response headers.
import { readOnlyAuthorization } from '../fixtures/app.ts'
import { capturedLog } from '../fixtures/log.ts'
import { answers, answersFor, type Check, codesIn, list, model, order, pet, serve } from './server.ts'

const limits = { requests: { max: 1, seconds: 60 } }

const hasForm: Check = async (t, statement) => {
  const [, pattern = ''] = statement.split(': pattern ')
  const values = answersFor(statement).map(({ value }) => value)
  t.ok(values.length > 0)
  t.strictSame(
    values.filter((value) => !new RegExp(pattern).test(value)),
    [],
  )
}

const weakAndStable: Check = async (t) => {
  const etags = []
  for (const _ of ['one instance', 'another']) {
    const { ask } = await serve(t)
    etags.push((await ask('GET', list)).headers.etag)
    await ask('DELETE', order(1006))
    t.equal((await ask('GET', list)).headers.etag, etags[0], 'a rejected cancellation')
    await ask('DELETE', order(1007))
    t.not((await ask('GET', list)).headers.etag, etags[0])
  }
  t.equal(etags[0], etags[1])
  t.match(etags[0], /^W\/"[\w-]{22}"$/)
}

/** The header has the date of the document. */
const dated: Check = async (t, statement) => {
  const { 'x-deprecated-since': since, 'x-sunset': sunset } =
    model.operations.find(({ deprecated }) => deprecated) ?? {}
  const expected = statement.includes('Sunset')
    ? new Date(String(sunset)).toUTCString()
    : `@${Date.parse(String(since)) / 1000}`
  const dates = answersFor(statement).map(({ operationId, value }) => `${operationId} ${value}`)
  t.strictSame([...new Set(dates)], [`getPetById ${expected}`])
}

export const headers: Record<string, Check> = {
  'headers-ETag: Weak validator of the list; the same on every instance and after a restart.': weakAndStable,
  'headers-Cache-Control: The client may store the list, but must revalidate it with `If-None-Match`': async (
    t,
    statement,
  ) => {
    for (const { operationId, status, value } of answersFor(statement)) {
      if (operationId === 'listOrders' && status < 400) t.equal(value, 'private, no-cache')
    }
    const { ask } = await serve(t)
    const { etag = '' } = (await ask('GET', list)).headers
    t.equal((await ask('GET', list, { [String(codesIn(statement)[0])]: etag })).status, 304)
  },
  'headers-Vary: The request headers that the response depends on.': async (t) => {
    const { ask } = await serve(t)
    const { headers } = await ask('GET', list)
    t.equal(headers.vary, 'Accept, Accept-Encoding')
    t.equal((await ask('GET', list, { accept: 'text/html' })).status, 406)
    t.equal((await ask('GET', list, { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip')
  },
  "headers-X-Request-Id: Identifies the request in the server's log, as sent": async (t) => {
    const { lines, logger } = capturedLog()
    const { ask } = await serve(t, { logger: { ...logger, level: 'info' } })
    await ask('GET', pet(504), { 'x-request-id': 'mine' })
    const { headers } = await ask('GET', pet(504))
    t.strictSame(
      lines.map(({ reqId }) => reqId),
      ['mine', headers['x-request-id']],
    )
  },
  'headers-WWW-Authenticate: The challenge of RFC 6750': async (t, statement) => {
    const { ask } = await serve(t)
    const [invalid, readOnly] = codesIn(statement)
    const challengeTo = async (key: string) =>
      String((await ask('DELETE', order(1007), { authorization: key })).headers['www-authenticate'])
    const challenge = await challengeTo('')
    t.match(challenge, /^Bearer realm="[^"]+"$/)
    t.ok((await challengeTo('Bearer wrong')).startsWith(`${challenge}, ${invalid}`))
    t.ok((await challengeTo(readOnlyAuthorization)).startsWith(`${challenge}, ${readOnly}`))
  },
  'headers-Allow: The methods that the path supports, in addition to OPTIONS.': async (t, statement) => {
    for (const { operationId, value } of answersFor(statement)) {
      const path = model.operations.find(({ id }) => id === operationId)?.path
      const methods = model.operations.filter((one) => one.path === path).map(({ method }) => method)
      t.strictSame(value.split(', '), methods.includes('GET') ? [...methods, 'HEAD'] : methods, operationId)
    }
  },
  'headers-RateLimit-Policy: The quota of requests of the API key in a window of seconds': async (t) => {
    const { ask } = await serve(t, { limits })
    const { max, seconds } = limits.requests
    t.equal((await ask('GET', list)).headers['ratelimit-policy'], `"default";q=${max};w=${seconds}`)
    t.equal((await ask('GET', list)).status, 429)
    t.equal((await ask('GET', list, { authorization: readOnlyAuthorization })).status, 200, 'of each key')
  },
  'headers-RateLimit: The requests that remain, and the seconds until more are allowed.': async (t) => {
    const { ask } = await serve(t, { limits: { requests: { max: 3, seconds: 3600 } } })
    for (const remaining of [2, 1, 0, 0]) {
      const [, r, seconds] = /;r=(\d+);t=(\d+)$/.exec(String((await ask('GET', list)).headers.ratelimit)) ?? []
      t.equal(Number(r), remaining)
      t.ok(Number(seconds) > 0 && Number(seconds) <= 3600 / 3)
    }
  },
  'headers-RateLimit: Sent with `RateLimit-Policy`.': async (t) => {
    for (const { headers } of answers) t.equal('ratelimit' in headers, 'ratelimit-policy' in headers)
  },
  'headers-Retry-After: Seconds to wait before trying again.': async (t) => {
    const { ask } = await serve(t, { limits })
    await ask('GET', list)
    const seconds = Number((await ask('GET', list)).headers['retry-after'])
    t.ok(seconds > 1 && seconds <= limits.requests.seconds)
  },
  'headers-Retry-After: at least 0': async (t, statement) => {
    for (const { value } of answersFor(statement)) t.match(value, /^\d+$/)
  },
  'headers-Deprecation: When the operation was deprecated, in Unix seconds (RFC 9745).': dated,
  'headers-Sunset: When the operation may be removed (RFC 8594).': dated,
  ': pattern ': hasForm,
}
