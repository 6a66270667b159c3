import t from 'tap'
import { base64, withKeys } from '../browser/credentials.js'
import type { Call } from '../browser/request.js'
import { notSent, requestOf, sendableOf, unsendable, unwritable } from '../browser/try-it-request.js'

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

t.test('what has no body by its method is sent without one, and without its type', async (t) => {
  const headers = ['Accept', 'Content-Type'].map((name): [string, string[]] => [name, ['text/plain']])
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
    const call = { method, url: ['https://api.example/'], headers, body: { chunks: ['a'] } } as unknown as Call
    const [url, options] = requestOf(sendableOf(call), () => '', new AbortController().signal)
    const request = new Request(url, options) // which refuses a body of GET and HEAD
    const isSent = method === 'POST' || method === 'DELETE'
    t.equal(await request.text(), isSent ? 'a' : '')
    t.equal(request.headers.has('content-type'), isSent)
    t.ok(request.headers.has('accept'))
  }
})

t.test('a key is sent where its place is, written as the place needs it', async (t) => {
  const secrets: Record<string, string> = { query: 'ä&b=c', user: 'jösé:p:w', bearer: 'abc' }
  const secret = (scheme: string, encoding?: 'percent' | 'base64') => ({ scheme, variables: ['KEY'], encoding })
  const call = {
    method: 'POST',
    url: ['https://api.example/pets?key=', secret('query', 'percent'), '&n=1'],
    headers: [
      ['Authorization', ['Basic ', secret('user', 'base64')]],
      ['X-Key', [secret('bearer')]],
    ],
    body: { chunks: ['{"a":', { file: 'a.png', bytes: new Uint8Array([0x31]) }, '}', { file: 'b.png' }] },
  } as unknown as Call
  const { signal } = new AbortController()
  const [url, options] = requestOf(call, (scheme) => String(secrets[scheme]), signal)
  const request = new Request(url, { ...options, duplex: 'half' } as RequestInit)
  t.equal(new URL(request.url).searchParams.get('key'), secrets.query)
  t.equal(new URL(request.url).searchParams.get('n'), '1')
  const [, user = ''] = String(request.headers.get('authorization')).split('Basic ')
  t.equal(Buffer.from(user, 'base64').toString(), secrets.user)
  t.equal(request.headers.get('x-key'), secrets.bearer)
  t.equal(await request.text(), '{"a":1}')
  t.equal(options.signal, signal)
  t.notOk('body' in requestOf({ ...call, body: undefined }, () => '', signal)[1])
})

t.test('keys that were entered are added to a URL and its headers; others are not', async (t) => {
  const given = (place: string, name: string, key: string, prefix = '') => ({ in: place, name, key, prefix })
  const headers = new Headers()
  const keys = [
    given('header', 'Authorization', 'jösé:p:w', 'Basic '),
    given('header', 'X-Key', 'abc'),
    given('header', 'X-None', ''),
    given('query', 'a key', 'ä&b=c'),
    given('query', 'none', ''),
    given('cookie', 'session', 'abc'),
  ]
  for (const url of ['https://api.example/pets', 'https://api.example/pets?n=1']) {
    const { searchParams } = new URL(withKeys(url, new Headers(), keys))
    t.strictSame([...searchParams], [...new URL(url).searchParams, ['a key', 'ä&b=c']])
  }
  withKeys('https://api.example', headers, keys)
  t.strictSame(Object.fromEntries(headers), { authorization: `Basic ${base64('jösé:p:w')}`, 'x-key': 'abc' })
  t.equal(Buffer.from(base64('jösé:p:w'), 'base64').toString(), 'jösé:p:w')
  const ready = new Headers()
  withKeys('https://api.example', ready, [given('header', 'Authorization', base64('a:b'), 'Basic ')])
  t.equal(ready.get('authorization'), `Basic ${base64('a:b')}`, 'what is encoded already stays')
})

t.test('a header value that no browser sends has a message, and any other can be a header', async (t) => {
  for (const value of ['', undefined, 5, 'a b\tc', 'é']) {
    t.strictSame(unwritable(value), [], String(value))
    t.doesNotThrow(() => new Headers([['x', String(value ?? '')]]))
  }
  for (const value of ['a\nb', '日', '\0', '\x7f']) t.match(unwritable(value), ['Use Latin characters on one line.'])
})
