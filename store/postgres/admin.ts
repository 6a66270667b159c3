// One session for an operator's command. Its statements have no time limit.
import pg from 'pg'
import { clientConfig } from './client-config.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { permanentReason, reasonOf } from './faults.ts'
import { asOptions, checkServer, rejectsSettings, sessionSettings } from './session-start.ts'
import type { Session } from './sessions.ts'

const CONNECT_MS = 10_000

export interface Admin extends Session {
  client: pg.Client
}

/** The advice of commands that need more privileges than `migrate --grant` gives. */
export const OWNER_ONLY = 'Run this as the owner of the schema store_orders'

/**
 * Runs the task on the first host that accepts writes. `advice` is for missing privileges.
 * @throws with a message for the operator
 */
export async function asAdmin<T>(
  options: ConnectionOptions,
  task: (admin: Admin) => Promise<T>,
  advice?: string,
): Promise<T> {
  const { hosts, user } = options
  const reasons: string[] = []
  const settings = sessionSettings(0, options.options)
  for (const address of hosts) {
    const where = `${address.host}:${address.port}`
    const connect = async (packet: object) => {
      const config = clientConfig(options, address)
      const client = new pg.Client({ ...config, ...packet, connectionTimeoutMillis: CONNECT_MS })
      client.on('error', () => {}) // the failing statement reports it
      try {
        await client.connect()
        await checkServer(client, where, { timeout: CONNECT_MS, settings })
        return client
      } catch (error) {
        client.end().catch(() => {})
        throw error
      }
    }
    let client: pg.Client
    try {
      client = await connect({ options: asOptions(settings, options.options) }).catch((error) => {
        if (rejectsSettings(error, options.options)) return connect({})
        throw error
      })
    } catch (error) {
      reasons.push(permanentReason(error, where, user) ?? `${where} does not respond: ${reasonOf(error)}`)
      continue
    }
    const query: Admin['query'] = async (query, values) =>
      (await client.query({ ...query, values: values as unknown[] })).rows
    return task({ client, query })
      .catch((error) => {
        const reason = permanentReason(error, where, user, advice)
        throw reason ? new Error(reason, { cause: error }) : error
      })
      .finally(() => {
        client.end().catch(() => {})
      })
  }
  throw new Error(reasons.join('\n'))
}
