// The upper limit: node:http with one cached buffer, the server's key check and headers, and nothing else.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import process from 'node:process'
import { contentType, host, isAuthorized, keepAliveTimeout, listHeaders, port, readList } from './shared.js'

const { json, etag } = readList()
/** The gzip bytes of the server. */
const gzip = process.env.GZIP_FILE ? readFileSync(process.env.GZIP_FILE) : undefined

createServer({ keepAliveTimeout }, ({ method, url, headers }, response) => {
  if (method !== 'GET' || url !== '/v1/store/orders') return response.writeHead(404).end()
  if (!isAuthorized(headers.authorization)) return response.writeHead(401).end()
  if (headers['if-none-match'] === etag) return response.writeHead(304, listHeaders(etag)).end()
  const isZipped = gzip && headers['accept-encoding'] === 'gzip'
  const body = isZipped ? gzip : json
  response.writeHead(200, {
    ...listHeaders(etag),
    ...(isZipped && { 'content-encoding': 'gzip' }),
    'content-type': contentType,
    'content-length': body.length,
  })
  return response.end(body)
}).listen(port, host)
