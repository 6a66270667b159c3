// hono with zod-openapi, over a Map.
import { serve } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { host, isAuthorized, port, readOrders } from './shared.js'

const orders = readOrders()
const app = new OpenAPIHono().basePath('/v1')
const Order = z.object({
  id: z.int(),
  petId: z.int().optional(),
  quantity: z.int().optional(),
  shipDate: z.iso.datetime().optional(),
  complete: z.boolean().optional(),
})
const list = createRoute({
  method: 'get',
  path: '/store/orders',
  responses: { 200: { description: 'All orders', content: { 'application/json': { schema: z.array(Order) } } } },
})
const cancel = createRoute({
  method: 'delete',
  path: '/store/orders/{orderId}',
  request: { params: z.object({ orderId: z.coerce.number().int() }) },
  responses: { 204: { description: 'Cancelled' }, 404: { description: 'No such order' } },
})

app.use(async (context, next) => {
  if (isAuthorized(context.req.header('authorization'))) await next()
  else return context.body(null, 401)
})
app.openapi(list, (context) => context.json([...orders.values()], 200))
app.openapi(cancel, (context) => {
  return context.body(null, orders.delete(context.req.valid('param').orderId) ? 204 : 404)
})
serve({ fetch: app.fetch, hostname: host, port })
