import { exactOpenapi } from 'exact-openapi'
import Fastify from 'fastify'
import t from 'tap'
import { announceDeprecation } from '../../plugins/deprecation.ts'
import { authorization, build, changed } from '../fixtures/app.ts'

t.test('an operation can have either extension or both', async (t) => {
  const document = changed(({ paths }) => {
    Object.assign(paths['/store/orders']?.get ?? {}, { 'x-sunset': '2030-02-28' })
    Object.assign(paths['/pets/{petId}']?.get ?? {}, { 'x-sunset': '2026-01-01' }) // the day of its deprecation
  })
  const app = await build(t, { document })
  const response = await app.inject({ url: '/v1/store/orders', headers: { authorization } })
  t.equal(response.headers.sunset, 'Thu, 28 Feb 2030 00:00:00 GMT')
  t.notOk('deprecation' in response.headers)
  const rejected = await app.inject({ url: '/v1/store/orders' })
  t.match(rejected, { statusCode: 401, headers: { sunset: response.headers.sunset } })
})

t.test('invalid extensions prevent the start', async (t) => {
  const mustBe = "must be a date like '2027-12-31', in quotes"
  const wrong: [marks: object, message: string][] = [
    [{ 'x-sunset': '2025-12-31' }, 'getPetById: x-sunset is before x-deprecated-since'],
    [{ 'x-sunset': 'soon' }, `getPetById: x-sunset ${mustBe}, not soon`],
    [{ 'x-deprecated-since': '2026-02-30' }, `getPetById: x-deprecated-since ${mustBe}, not 2026-02-30`],
    [{ deprecated: false }, 'getPetById: x-deprecated-since needs "deprecated: true" beside it'],
  ]
  for (const [marks, message] of wrong) {
    const document = changed(({ paths }) => {
      Object.assign(paths['/pets/{petId}']?.get ?? {}, marks)
    })
    await t.rejects(build(t, { document }), { message })
  }
})

t.test('other routes of the same instance stay as they are', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  announceDeprecation(app)
  app.get('/', async () => 'Hello')
  const operation = { id: 'old', deprecated: true, extensions: { 'x-deprecated-since': '2026-01-01' } }
  app.get('/old', { config: { operation: operation as never } }, async () => 'Hello')
  const document = changed(({ paths }) => {
    for (const path of Object.keys(paths)) if (path !== '/pets/{petId}') delete paths[path]
    Object.assign(paths['/pets/{petId}']?.get ?? {}, { security: [] })
  })
  const handlers = { getPetById: async () => ({ status: 200, body: { id: 504n } }) }
  await app.register(exactOpenapi, { document, handlers, prefix: '/v1' })
  const headersOf = async (url: string) => (await app.inject({ url })).headers
  t.match(await headersOf('/v1/pets/504'), { deprecation: '@1767225600' })
  t.match(await headersOf('/old'), { deprecation: '@1767225600' }, 'without hooks of its own')
  t.notOk('deprecation' in (await headersOf('/')))
})
