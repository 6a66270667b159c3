import t from 'tap'
import { exchange, parseAnswer } from 'test-kit/raw'
import { buildDashboard, dashboardAuthorization } from '../../../domains/dashboard.ts'
import { errorOf } from '../../../fixtures/app.ts'

const tooLarge = errorOf('payload_too_large', 'The request is too large.')

t.test('a large body is rejected with 413', async (t) => {
  const { app, call } = await buildDashboard(t)
  const fits = `{"domain":"docs.shop.test"${' '.repeat(16_384 - 27)}}`
  t.equal((await call('PUT', '/primary', fits)).statusCode, 200)
  const response = await call('PUT', '/primary', `${fits} `)
  t.equal(response.statusCode, 413)
  t.strictSame(response.json(), tooLarge)

  const lines = ['PUT /dashboard/v1/primary HTTP/1.1', 'Host: x', `Authorization: ${dashboardAuthorization}`]
  const chunk = `4001\r\n${fits} \r\n0\r\n\r\n`
  const text = await exchange(app, `${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n${chunk}`)
  const { status, body } = parseAnswer(text)
  t.strictSame([status, JSON.parse(body)], [413, tooLarge])
})
