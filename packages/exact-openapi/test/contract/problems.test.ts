import t from 'tap'
import { problemsOf } from '../../src/contract/problems.ts'
import { describe } from '../fixtures/serve.ts'

t.test('what breaks a rule is listed for each operation, and what cannot be read once', async (t) => {
  const open = { security: undefined }
  const { broken } = problemsOf(describe({ operations: { 'GET /a': open, 'PUT /a': open } }))
  t.match(broken.get('no-security'), [/^GET \/a: no security is given/, /^PUT \/a: no security is given/])
  const responses = { 200: { $ref: '#/components/responses/None' } }
  const { problems } = problemsOf(describe({ operations: { 'GET /a': { responses } } }))
  t.match(problems, [/^the document is not valid OpenAPI: GET \/a, responses 200: .* leads nowhere$/])
  t.equal(problems.length, 1)
})
