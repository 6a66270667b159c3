// Runs the client with the fetch of each library, also through a proxy: node fetches.js
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import process from 'node:process'
import { createClient } from 'store-orders-client'

const id = 9223372036854775807n
const host = '127.0.0.1'

async function listening(server) {
  await once(server.listen(0, host), 'listening')
  return `http://${host}:${server.address().port}`
}

const received = []
const api = createServer(({ method, url, headers }, response) => {
  received.push(`${method} ${url} ${headers.authorization}`)
  if (method === 'DELETE') response.writeHead(204).end()
  else response.writeHead(200, { 'content-type': 'application/json' }).end(`[{"id":${id}}]`)
})
let proxied = 0
const proxy = createServer(({ method, url, headers }, response) => {
  proxied++
  const forwarded = request(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  forwarded.end()
})
proxy.on('connect', ({ url }, socket) => {
  proxied++
  const { hostname, port } = new URL(`http://${url}`)
  const target = connect(Number(port), hostname, () => {
    socket.write('HTTP/1.1 200 Connected\r\n\r\n')
    socket.pipe(target).pipe(socket)
  })
  socket.on('error', () => target.destroy())
  target.on('error', () => socket.destroy())
})

const baseUrl = `${await listening(api)}/v1`
const proxyUrl = await listening(proxy)

async function check(name, fetch) {
  const before = proxied
  received.length = 0
  const client = createClient({ baseUrl, apiKey: 'key', retries: 0, fetch })
  assert.deepEqual(await client.listOrders(), [{ id }], name)
  assert.equal(await client.cancelOrder(id), undefined, name)
  const expected = ['GET /v1/store/orders Bearer key', `DELETE /v1/store/orders/${id} Bearer key`]
  assert.deepEqual(received, expected, name)
  assert.equal(proxied > before, name.endsWith('proxy'), name)
}

const checked = ['node-fetch', 'undici-6', 'undici']
if (!process.version.startsWith('v20.')) checked.push('undici-8') // which needs Node.js 22
for (const name of checked) {
  const { default: fallback, fetch = fallback, ProxyAgent } = await import(name)
  await check(name, fetch)
  if (!ProxyAgent) continue
  const dispatcher = new ProxyAgent(proxyUrl)
  await check(`${name} through a proxy`, (url, init) => fetch(url, { ...init, dispatcher }))
  await dispatcher.close()
}
for (const server of [api, proxy]) server.closeAllConnections()
for (const server of [api, proxy]) server.close()
console.log(`${checked.join(', ')}`)
