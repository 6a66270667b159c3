import t from 'tap'
import { authorization, build } from '../fixtures/app.ts'

const url = '/v1/store/orders'

t.test('the list has a weak ETag that changes with a cancel, and only then', async (t) => {
  const app = await build(t)
  const tag = async () => (await app.inject({ url, headers: { authorization } })).headers.etag
  const first = await tag()
  t.match(first, /^W\/"[\w-]{22}"$/)
  t.equal(await tag(), first)
  await app.inject({ method: 'DELETE', url: `${url}/1006`, headers: { authorization } })
  t.equal(await tag(), first, 'a refused cancel')
  await app.inject({ method: 'DELETE', url: `${url}/1007`, headers: { authorization } })
  t.not(await tag(), first)
  t.equal((await (await build(t)).inject({ url, headers: { authorization } })).headers.etag, first, 'after a restart')
})

t.test('a client that has the list gets 304 without a body', async (t) => {
  const app = await build(t)
  const full = await app.inject({ url, headers: { authorization } })
  const etag = String(full.headers.etag)
  const strong = etag.slice(2)
  for (const known of [etag, strong, '*', ' * ', `"a", ${etag}`, `"a,b",${strong} , W/"c"`, `""${etag}`]) {
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await app.inject({ method, url, headers: { authorization, 'if-none-match': known } })
      t.equal(response.statusCode, 304, known)
      t.equal(response.body, '')
      t.equal(response.headers['content-type'], undefined)
      for (const name of ['etag', 'cache-control', 'vary']) t.equal(response.headers[name], full.headers[name], name)
    }
  }
  t.equal(full.headers['cache-control'], 'private, no-cache')
  t.equal(full.headers.vary, 'Accept')
})

t.test('a client that has another list gets this one', async (t) => {
  const app = await build(t)
  const etag = String((await app.inject({ url, headers: { authorization } })).headers.etag)
  for (const other of [
    '"a"',
    'W/"a"',
    '',
    '"*"',
    etag.slice(3, -1),
    etag.toUpperCase().replace('W/', 'w/'),
    `"${etag}"`,
  ]) {
    const response = await app.inject({ url, headers: { authorization, 'if-none-match': other } })
    t.equal(response.statusCode, 200, other)
  }
})

t.test('a request without a key learns nothing from If-None-Match', async (t) => {
  const app = await build(t)
  t.equal((await app.inject({ url, headers: { 'if-none-match': '*' } })).statusCode, 401)
})
