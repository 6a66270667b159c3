import { EventEmitter, once } from 'node:events'
import express from 'express'
import t, { type Test } from 'tap'
import { fetchOver, h2, openSession } from 'test-kit/http2'
import { withOwnMembers } from '../../src/ports/express-over-http2.ts'
import { openPorts, routingOf } from '../fixtures/ports.ts'

const host = 'docs.shop.test'
const live = routingOf({ states: { [host]: 'live' } })

async function serve(t: Test, app: express.Express) {
  const { dialSecurely } = await openPorts(t, () => live, withOwnMembers(app))
  return openSession(t, dialSecurely(host, h2), host)
}

t.test('Express reads requests of HTTP/2, and sends every kind of response', async (t) => {
  const app = express()
  app.use(express.json(), (request, response) => {
    const { hostname, httpVersion, ip, method, query, secure, url, body } = request
    const seen = { hostname, httpVersion, ip, method, query, secure, body }
    if (url === '/file') response.sendFile('LICENSE', { root: '.' })
    else if (url === '/moved') response.redirect(301, '/there')
    else if (url === '/broken') throw new Error('broken')
    else response.cookie('a', 'b').json(seen)
  })
  app.set('env', 'test') // logs no errors
  const session = await serve(t, app)
  const ask = (path: string, headers = {}, body?: string) =>
    fetchOver(session, { ':path': path, ':authority': host, ...headers }, body)

  const read = await ask('/a?b=c')
  const common = { hostname: host, httpVersion: '2.0', ip: '127.0.0.1', secure: true }
  const post = { ':method': 'POST', 'content-type': 'application/json' }
  t.match(read, { status: 200, headers: { 'set-cookie': ['a=b; Path=/'] } })
  t.strictSame(JSON.parse(read.body), { ...common, method: 'GET', query: { b: 'c' } })
  const written = await ask('/a', post, '{"d":1}')
  t.strictSame(JSON.parse(written.body), { ...common, method: 'POST', query: {}, body: { d: 1 } })
  t.match(await ask('/a', { ':method': 'HEAD' }), { status: 200, body: '', headers: { 'content-type': /json/ } })
  t.match(await ask('/moved'), { status: 301, headers: { location: '/there' } })
  t.match(await ask('/broken'), { status: 500, body: /Error: broken/ })
  t.match(await ask('/a', post, '{'), { status: 400 })
  const file = await ask('/file')
  t.match(file.headers, { 'content-length': String(file.body.length) })
  t.equal((await ask('/file', { 'if-none-match': String(file.headers.etag) })).status, 304)
})

t.test('a page links to its canonical address, and every other response only where the application says', async (t) => {
  const app = express()
  app.use(({ path }, response) => {
    const next = { next: 'https://docs.shop.test/b,c' }
    if (path === '/linked') response.links(next).end()
    else if (path === '/created') response.status(201).links(next).end()
    else if (path === '/appended')
      response.status(201).append('Link', '</b>; rel=next').append('Link', '</c>; rel=last').end()
    else if (path === '/own') response.status(201).set('Link', '</b>; rel="canonical"').end()
    else if (path === '/removed') response.removeHeader('link')
    if (!response.writableEnded) response.status(404).end()
  })
  const session = await serve(t, app)
  const linkOf = async (path: string) => (await fetchOver(session, { ':path': path, ':authority': host })).headers.link
  const next = '<https://docs.shop.test/b,c>; rel="next"'
  t.equal(await linkOf('/linked'), `<https://docs.shop.test/linked>; rel="canonical", ${next}`)
  t.equal(await linkOf('/created'), next)
  t.equal(await linkOf('/appended'), '</b>; rel=next, </c>; rel=last')
  t.equal(await linkOf('/own'), '</b>; rel="canonical"')
  t.equal(await linkOf('/removed'), undefined)
  t.equal(await linkOf('/missing'), undefined)
})

t.test('a request that is reset, or whose body nobody reads, leaves the connection open', async (t) => {
  const app = express()
  const requests = new EventEmitter()
  app.get('/slow', (request) => void requests.emit('slow', request))
  app.use((_request, response) => void response.end('done'))
  const session = await serve(t, app)
  const slow = session.request({ ':path': '/slow', ':authority': host })
  const [request] = await once(requests, 'slow')
  slow.close()
  await once(request, 'close')
  const body = 'x'.repeat(100_000)
  const unread = await fetchOver(session, { ':path': '/a', ':method': 'POST', ':authority': host }, body)
  t.match(unread, { status: 200, body: 'done' })
  t.match(await fetchOver(session, { ':path': '/b', ':authority': host }), { status: 200, body: 'done' })
})
