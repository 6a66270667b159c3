// How a program uses what each generator writes: its own ways to list orders and to cancel one.

const base = 'const baseUrl = "https://api.example/v1"\n'

export const uses: Readonly<Record<string, string>> = {
  'openapi-typescript': `${base}
import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript/schema.d.ts'
const client = createClient<paths>({ baseUrl })
export const list = async () => (await client.GET('/store/orders')).data
export const cancel = (orderId: number) => client.DELETE('/store/orders/{orderId}', { params: { path: { orderId } } })
`,
  'hey-api': `${base}
import { cancelOrder, listOrders } from './hey-api'
import { client } from './hey-api/client.gen'
client.setConfig({ baseUrl })
export const list = async () => (await listOrders()).data
export const cancel = (orderId: number) => cancelOrder({ path: { orderId } })
`,
  orval: `
import { cancelOrder, listOrders } from './orval/client'
export const list = async () => (await listOrders()).data
export const cancel = (orderId: number) => cancelOrder(orderId)
`,
  'swagger-typescript-api': `${base}
import { Api } from './swagger-typescript-api/client'
const { store } = new Api({ baseUrl })
export const list = async () => (await store.listOrders()).data
export const cancel = (orderId: number) => store.cancelOrder(orderId)
`,
  kubb: `${base}
import { cancelOrder } from './kubb/clients/cancelOrder'
import { listOrders } from './kubb/clients/listOrders'
export const list = () => listOrders({ baseURL: baseUrl })
export const cancel = (orderId: number) => cancelOrder(orderId, { baseURL: baseUrl })
`,
}
