import t from 'tap'
import type { Call } from '../browser/request.js'
import { notSent, sendableOf, unsendable } from '../browser/try-it-request.js'

/** Fetch Standard, "forbidden request-header", with examples of its prefixes. */
const forbidden =
  'Accept-Charset Accept-Encoding Access-Control-Request-Headers Access-Control-Request-Method Connection Content-Length Cookie Cookie2 Date DNT Expect Host Keep-Alive Origin Referer Set-Cookie TE Trailer Transfer-Encoding Upgrade Via Proxy-Connection Sec-Fetch-Mode'.split(
    ' ',
  )
const allowed = 'Accept Accept-Language Authorization Content-Type Cookies X-Date Hostname If-Match Security Tea'.split(
  ' ',
)

t.test('a header that browsers let no page set stays in the samples', async (t) => {
  const headers = [...forbidden, ...allowed].map((name): [string, string[]] => [name, ['value']])
  const call = { method: 'POST', url: ['/'], headers, body: undefined } as Partial<Call> as Call
  t.strictSame(
    sendableOf(call).headers.map(([name]) => name),
    allowed,
  )
  t.strictSame(
    notSent(call),
    forbidden.map((name) => (name === 'Cookie' ? 'the cookie value' : name)),
  )
  const key = { scheme: 'key', variables: ['API_KEY'] }
  const cookies: Call['headers'] = [['Cookie', ['key=', key, '; session=a']]]
  t.strictSame(notSent({ ...call, headers: cookies }), ['the cookie key', 'the cookie session'])
  for (const name of forbidden) t.match(unsendable({ in: 'header', name }), /no page set this header/)
  for (const name of allowed) t.equal(unsendable({ in: 'header', name }), undefined)
  t.match(unsendable({ in: 'cookie', name: 'a' }), /no page set a cookie/)
  t.equal(unsendable({ in: 'query', name: 'host' }), undefined)
})
