// No output contains a key, at any log level, wherever a client sends it.
import { subscribe } from 'node:diagnostics_channel'
import { createConnection } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { converse } from 'test-kit/raw'
import { buildDashboard } from '../domains/dashboard.ts'
import { build } from '../fixtures/app.ts'
import { startWithDomains, stop } from '../fixtures/process.ts'

const key = 'marked-zqzkey'
const dashboardKey = 'marked-zqzdashboard-of-32-characters-or-more'
/** Long enough not to be in a random request id. */
const marks = ['zqzkey', 'zqzdashboard', ...[key, dashboardKey].map((each) => btoa(`x:${each}`).slice(4, 20))]

type Route = Record<'method' | 'path', string>

/** The routes of each app that is made in this file, with a value for each parameter. */
const routesOf = new Map<FastifyInstance, Route[]>()
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  const routes: Route[] = []
  routesOf.set(fastify, routes)
  const values: Record<string, string> = { orderId: '1003', petId: '504', domain: 'docs.shop.test' }
  fastify.addHook('onRoute', ({ method: methods, url }) => {
    const path = url.replace(/:(\w+)/g, (_, name) => String(values[name])).replace('*', 'x')
    for (const method of [methods].flat()) routes.push({ method, path })
  })
})

const messageOf = ({ method, path }: Route, place: string, body = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${place}\r\nConnection: close\r\n\r\n${body}`

/** A message for each place that may contain a key. */
function messagesOf(route: Route, secret: string): string[] {
  const { method, path } = route
  const basic = btoa(`x:${secret}`)
  const body = JSON.stringify({ domain: secret, key: secret })
  const places = [
    `Authorization: Bearer ${secret}`,
    `Authorization: Bearer ${secret}x`,
    `Authorization: Basic ${basic}`,
    `Authorization: ${secret}`,
    `Cookie: key=${secret}\r\nX-Api-Key: ${secret}\r\nProxy-Authorization: Basic ${basic}`,
    `Authorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`,
  ]
  return [
    ...places.map((place) => messageOf(route, place, body)),
    `${method} ${path}?key=${secret}#${secret} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `${method} http://x:${secret}@x${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ]
}

/** Messages that the parser rejects, before there is a route. */
const rejectedOf = (secret: string) =>
  [
    `Authorization: Bearer ${secret}\r\nContent-Length: x`,
    `Authorization: Bearer ${secret}\r\nX-Long: ${secret}${'x'.repeat(20_000)}`,
    `Authorization : Bearer ${secret}`,
  ].map((place) => messageOf({ method: 'GET', path: '/v1/store/orders' }, place))

t.test('no output contains a key, whatever the route and wherever a key is sent', async (t) => {
  const { app } = await buildDashboard(t)
  const routes = routesOf.get(app) ?? []
  const paths = routes.map(({ path }) => path)
  const some = ['/v1/store/orders/1003', '/v1/pets/504', '/dashboard/v1/domains/docs.shop.test/verify', '/docs/x']
  for (const path of some) t.ok(paths.includes(path), path)
  t.notMatch((await build(t)).printRoutes({ commonPrefix: false }), 'dashboard')

  const keys = { API_KEYS: `tests:${key}`, DASHBOARD_KEYS: `ops:${dashboardKey}` }
  const server = startWithDomains(t, { ...keys, DATA_DIR: t.testdir(), LOG_LEVEL: 'trace' })
  const port = await server.port()
  const messages = [rejectedOf(key), rejectedOf(dashboardKey)]
  for (const route of routes) messages.push(messagesOf(route, route.path.startsWith('/dashboard') ? dashboardKey : key))
  for (const some of messages) {
    const send = (message: string) => converse(createConnection(port, '127.0.0.1'), message)
    for (const response of await Promise.all(some.map(send))) t.match(response, /^HTTP\/1.1 /)
  }
  await stop(t, server)
  const written = server.stdout() + server.stderr()
  t.equal(written.match(/"msg":"request completed"/g)?.length, routes.length * 8)
  t.match(written, '"key":"tests"')
  t.match(written, '"key":"ops"')
  const telling = written.split('\n').filter((line) => marks.some((mark) => line.includes(mark)))
  t.strictSame(telling, [])
})
