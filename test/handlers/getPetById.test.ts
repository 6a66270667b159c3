import t from 'tap'
import { authorization, build } from '../fixtures/app.ts'

t.test('a pet that an order names is found, and any other is not', async (t) => {
  const app = await build(t, { records: ['{"id":1,"petId":5}'] })
  const get = (id: number) => app.inject({ url: `/v1/pets/${id}`, headers: { authorization } })
  t.equal((await get(5)).body, '{"id":5}')
  const { statusCode, body } = await get(6)
  t.equal(statusCode, 404)
  t.match(JSON.parse(body), { code: 'pet_not_found', status: 404 })
})
