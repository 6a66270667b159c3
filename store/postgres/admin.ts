// One transaction for an operator's command.
import pg from 'pg'
import { addressCount, clientConfig } from './client-config.ts'
import type { ConnectionOptions, HostAddress } from './connection-string.ts'
import { isReadTimeout, lockReason, PermanentError, permanentReason, RoleError, reasonOf } from './faults.ts'
import { prepareSession, rejectsSettings, sessionSettings } from './session-start.ts'
import type { Session } from './sessions.ts'

const CONNECT_MS = 10_000

export interface Admin extends Session {
  client: pg.Client
}

interface AdminOptions {
  /** For missing privileges. */
  advice?: string
  isolation?: 'READ COMMITTED' | 'REPEATABLE READ'
  /** The limit of each statement, in milliseconds; 0 for none. */
  timeout?: number
}

/** The advice of commands that need more privileges than `migrate --grant` gives. */
export const OWNER_ONLY = 'Run this as the owner of the schema store_orders'

/**
 * Runs the task on the first host that accepts writes, in a transaction: through a pooler, other clients use the session
 * next, and what is set ends with it.
 * @throws with a message for the operator
 */
export async function asAdmin<T>(
  options: ConnectionOptions,
  task: (admin: Admin) => Promise<T>,
  { advice, isolation = 'READ COMMITTED', timeout = 0 }: AdminOptions = {},
): Promise<T> {
  const { hosts, user } = options
  const reasons: string[] = []
  for (const address of hosts) {
    const where = `${address.host}:${address.port}`
    let client: pg.Client
    try {
      client = await connectTo(options, address, { isolation, timeout })
    } catch (error) {
      reasons.push(
        /* c8 ignore next 2 -- a standby: test/chaos fails over to one */
        error instanceof RoleError
          ? error.message
          : (permanentReason(error, where, user) ?? `${where} does not respond: ${reasonOf(error)}`),
      )
      continue
    }
    try {
      // Without names, so that no prepared statement stays in the session.
      const query: Admin['query'] = async ({ text }, values) =>
        (await client.query({ text, values: values as unknown[] })).rows
      const result = await task({ client, query })
      await client.query('COMMIT')
      return result
    } catch (error) {
      const reason = permanentReason(error, where, user, advice) ?? lockReason(error)
      throw reason ? new Error(reason, { cause: error }) : error
      /* c8 ignore next -- V8 counts a way out that does not exist */
    } finally {
      client.end().catch(() => {})
    }
  }
  throw new Error(reasons.join('\n'))
}

/** Tries each address of the name: one may accept writes. */
async function connectTo(
  options: ConnectionOptions,
  address: HostAddress,
  { isolation, timeout }: Required<Omit<AdminOptions, 'advice'>>,
): Promise<pg.Client> {
  const where = `${address.host}:${address.port}`
  const count = await addressCount(address)
  const settings = sessionSettings(timeout, options.options)
  const firstMs = timeout || CONNECT_MS
  for (let rotation = 0; ; rotation++) {
    const connect = async (packet: object) => {
      const config = clientConfig(options, address, rotation)
      const client = new pg.Client({ ...config, ...packet, connectionTimeoutMillis: CONNECT_MS })
      client.on('error', () => {}) // the failing statement reports it
      try {
        await client.connect()
        await beginWithin(firstMs, client, isolation)
        await prepareSession(client, where, { timeout: CONNECT_MS, settings, isLocal: true })
        return client
      } catch (error) {
        client.end().catch(() => {})
        throw error
      }
    }
    try {
      return await connect({ options: options.options }).catch((error) => {
        if (rejectsSettings(error, '')) return connect({})
        throw error
      })
    } catch (error) {
      if (!(error instanceof RoleError) || rotation + 1 >= count) throw error
    }
  }
}

/** A pooler accepts clients before it has a connection to PostgreSQL for them. */
async function beginWithin(ms: number, client: pg.Client, isolation: string): Promise<void> {
  const begin = { text: `BEGIN ISOLATION LEVEL ${isolation}`, query_timeout: ms } as pg.QueryConfig
  await client.query(begin).catch((error) => {
    /* c8 ignore next -- the connection breaks just after the login */
    if (!isReadTimeout(error)) throw error
    throw new PermanentError(
      `${client.host}:${client.port} accepts logins, but no statement has run within ${ms / 1000} s: a pooler without a free connection?`,
    )
  })
}
