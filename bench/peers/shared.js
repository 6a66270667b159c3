// Shared by the peers: their environment, the orders, and the headers of the server they are compared with.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const { API_KEYS = '', ORDERS_FILE } = process.env

export const host = '127.0.0.1'
export const port = Number(process.env.PORT)
export const contentType = 'application/json'
export const keepAliveTimeout = 72_000

/** The project's own OpenAPI document, for the spec-first peer. */
export const documentFile = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url))

const sample = fileURLToPath(new URL('../../store/memory/sample.ndjson', import.meta.url))
const authorization = `Bearer ${API_KEYS.slice(API_KEYS.indexOf(':') + 1)}`

/** @param {string | undefined} header the request's Authorization */
export const isAuthorized = (header) => header === authorization

/** The orders as objects, by id. */
export function readOrders() {
  const lines = readFileSync(ORDERS_FILE ?? sample, 'utf8')
    .trimEnd()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const order = JSON.parse(line)
      return [order.id, order]
    }),
  )
}

/** A weak ETag like the server's. @param {Buffer} json */
export const etagOf = (json) => `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`

const prefix = `${randomUUID()}-`
let count = 0

/** A request id as cheap as the server's: unique by process and counter. */
export const newId = () => prefix + ++count

/** The headers that the server sends with every response. @param {string} id */
export function standardHeaders(id) {
  return {
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  }
}

/** The headers of a list. @param {string} etag @param {string} id */
export function listHeaders(etag, id) {
  return { ...standardHeaders(id), 'cache-control': 'private, no-cache', etag, vary: 'Accept, Accept-Encoding' }
}
