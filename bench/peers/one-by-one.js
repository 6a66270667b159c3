// This server, with a statement and a commit for each cancellation instead of groups.
import process from 'node:process'
import { KEY } from '../servers.js'
import { host, port } from './shared.js'

const { DATABASE_URL = '', DATABASE_TIMEOUT } = process.env
const built = (file) => import(new URL(`../../dist/${file}.js`, import.meta.url).href)
const { buildApp } = await built('app')
const { openKeys } = await built('config/keys/open')
const { oneByOne } = await built('store/postgres/cancellations')
const { parseConnectionString } = await built('store/postgres/connection-string')
const { postgresOrderStore } = await built('store/postgres/postgres-store')
const { openSessions } = await built('store/postgres/sessions')

const timeout = 1000 * Number(DATABASE_TIMEOUT)
const connection = parseConnectionString(DATABASE_URL, process.env)
const sessions = openSessions({ connection, poolSize: 10, timeout })
const orders = postgresOrderStore(sessions, { timeout, createCanceller: oneByOne })
const { keys } = await openKeys({ given: [{ name: 'bench', key: KEY }], variable: 'API_KEYS' }, 'API_KEYS', true)
const app = await buildApp({ orders, keys })
await app.listen({ host, port })
