import t from 'tap'
import { parse } from 'yaml'
import { loadDocument, withServers } from '../../spec/document.ts'
import { authorization, build } from '../fixtures/app.ts'

t.test('the document is served as JSON and as YAML, to everybody', async (t) => {
  const app = await build(t)
  const json = await app.inject({ url: '/openapi.json' })
  t.equal(json.statusCode, 200)
  t.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  t.strictSame(json.json(), loadDocument())
  const yaml = await app.inject({ url: '/openapi.yaml' })
  t.equal(yaml.statusCode, 200)
  t.equal(yaml.headers['content-type'], 'application/yaml')
  t.strictSame(parse(yaml.body), loadDocument())
})

t.test('/ leads to the documentation', async (t) => {
  const app = await build(t)
  const response = await app.inject({ url: '/' })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/docs')
})

t.test('the page has a title, and a policy that allows what it needs and no more', async (t) => {
  const servers = { production: 'https://api.example.com/v1', staging: 'http://127.0.0.1:8080/v1' }
  const app = await build(t, { document: withServers(loadDocument(), servers) })
  for (const url of ['/docs', '/docs/', '/docs/static/swagger-ui.css', '/docs/json']) {
    const response = await app.inject({ url })
    t.equal(response.statusCode, 200, url)
    t.equal(
      response.headers['content-security-policy'],
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'; script-src 'self'; " +
        "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; img-src 'self' data:; " +
        "font-src 'self'; connect-src 'self' https://api.example.com http://127.0.0.1:8080",
    )
  }
  t.match((await app.inject({ url: '/docs/' })).body, '<title>Store Orders</title>')
})

t.test('without public addresses the page talks to its own origin', async (t) => {
  const app = await build(t)
  t.match((await app.inject({ url: '/docs' })).headers['content-security-policy'], /connect-src 'self'$/)
})

t.test('an unknown path below the documentation is an Error', async (t) => {
  const app = await build(t)
  for (const url of ['/docs/nope', '/docs/static/nope.js', '/docs/static/%2e%2e/package.json']) {
    const response = await app.inject({ url, headers: { authorization } })
    t.equal(response.statusCode, 404)
    t.equal(response.json().code, 'not_found')
  }
})
