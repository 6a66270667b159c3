// express with express-openapi-validator, over a Map.
import express from 'express'
import * as validator from 'express-openapi-validator'
import { documentFile, host, isAuthorized, port, readOrders } from './shared.js'

const orders = readOrders()
const app = express()

app.use(
  validator.middleware({
    apiSpec: documentFile,
    validateSecurity: { handlers: { apiKey: (request) => isAuthorized(request.headers.authorization) } },
  }),
)
app.get('/v1/store/orders', (_request, response) => {
  response.json([...orders.values()])
})
app.delete('/v1/store/orders/:orderId', (request, response) => {
  response.status(orders.delete(Number(request.params.orderId)) ? 204 : 404).end()
})
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message })
})
app.listen(port, host)
