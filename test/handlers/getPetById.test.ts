import t from 'tap'
import { authorization, build, errorOf } from '../fixtures/app.ts'

const headers = { authorization }

t.test('a pet in an order is returned with its exact identifier', async (t) => {
  const app = await build(t, { records: ['{"id":1,"petId":9007199254740993,"status":"cancelled"}'] })
  const response = await app.inject({ url: '/v1/pets/9007199254740993', headers })
  t.equal(response.statusCode, 200)
  t.equal(response.body, '{"id":9007199254740993}')
})

t.test('a pet in no order gets 404', async (t) => {
  const app = await build(t, { records: ['{"id":1}', '{"id":2,"petId":5}'] })
  for (const id of ['0', '4', '9007199254740993']) {
    const response = await app.inject({ url: `/v1/pets/${id}`, headers })
    t.equal(response.statusCode, 404)
    t.strictSame(response.json(), errorOf('pet_not_found', 'No order refers to this pet.'))
  }
})
