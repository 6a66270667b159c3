// The lower limit of a list from PostgreSQL: node:http and pg, `SELECT 1` in place of the store's check, and the list's
// bytes as they were at the start.
import { createServer } from 'node:http'
import process from 'node:process'
import { Readable } from 'node:stream'
import pg from 'pg'
import { contentType, host, isAuthorized, keepAliveTimeout, listHeaders, port, standardHeaders } from './shared.js'

const { DATABASE_URL = '' } = process.env
const built = (file) => import(new URL(`../../dist/${file}.js`, import.meta.url).href)
const { openPostgresStore } = await built('store/postgres/open')
const { loadConfig } = await built('config/environment')

const chunks = await readChunks()
const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
const pool = new pg.Pool({ connectionString: DATABASE_URL })

async function readChunks() {
  const store = await openPostgresStore(loadConfig().database, console.error)
  try {
    const pages = await store.list()
    return [
      Buffer.from('['),
      pages[0].json().subarray(1),
      ...pages.slice(1).map((page) => page.json()),
      Buffer.from(']'),
    ]
  } finally {
    await store.close()
  }
}

createServer({ keepAliveTimeout }, async ({ method, url = '', headers }, response) => {
  if (!isAuthorized(headers.authorization)) return response.writeHead(401).end()
  if (method === 'DELETE') {
    const text = 'SELECT store_orders.cancel_orders(ARRAY[$1]::bigint[], ARRAY[gen_random_uuid()])'
    await pool.query({ name: 'cancel', text, values: [url.slice(url.lastIndexOf('/') + 1)] })
    return response.writeHead(204, standardHeaders()).end()
  }
  await pool.query({ name: 'one', text: 'SELECT 1' })
  response.writeHead(200, { ...listHeaders('W/"1"'), 'content-type': contentType, 'content-length': length })
  return Readable.from(chunks).pipe(response)
}).listen(port, host)
