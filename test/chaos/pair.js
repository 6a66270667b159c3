// A primary with a synchronous standby, and a database with orders.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { createCluster } from '../postgres/cluster.js'
import { eventually, inSession } from './sessions.js'

/** @typedef {import('../postgres/cluster.js').Cluster} Cluster */

/** @param {string[]} [settings] @returns {Promise<[primary: Cluster, standby: Cluster]>} */
export async function startPair(settings = []) {
  const replicated = ['synchronous_commit=on', 'synchronous_standby_names=standby', 'wal_level=replica']
  const primary = await createCluster({ settings: [...replicated, 'max_connections=100', ...settings] })
  await primary.start()
  const standby = await inSession(
    primary.url(),
    (session) => primary.standby((sql) => session.query(sql), ['synchronous_standby_names=']), // it will have no standby itself
  )
  await standby.start()
  return [primary, standby]
}

/** Creates the tables, and orders with the ids from 1 on. @param {string} url @param {number} orders */
export async function prepare(url, orders) {
  const env = { PATH: process.env.PATH, DATABASE_URL: url }
  await promisify(execFile)(process.execPath, ['dist/cli/index.js', 'migrate'], { env })
  const insert = `INSERT INTO store_orders.orders (id) SELECT generate_series(1, ${orders}) ON CONFLICT DO NOTHING`
  await eventually('there are orders', () => inSession(url, (session) => session.query(insert)))
}
