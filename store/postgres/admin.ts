// One session for an operator's command, whose statements may take as long as they need.
import pg from 'pg'
import type { ConnectionOptions } from './connection-string.ts'
import { reasonOf, refusalOf } from './faults.ts'
import { passwordFor } from './password.ts'
import { checkServer, rejectsSettings, sessionSettings } from './session-start.ts'
import type { Session } from './sessions.ts'

const CONNECT_MS = 10_000

export interface Admin extends Session {
  client: pg.Client
}

/** Runs `work` at the first host that accepts writes. @throws with a line an operator understands */
export async function asAdmin<T>(options: ConnectionOptions, work: (admin: Admin) => Promise<T>): Promise<T> {
  const { hosts, user, database, tls, applicationName } = options
  const reasons: string[] = []
  for (const { host, port } of hosts) {
    const where = `${host}:${port}`
    const connect = async (settings: object) => {
      const address = { host, port, user, database, ssl: tls, application_name: applicationName }
      const password = passwordFor(options.password)
      const client = new pg.Client({
        ...address,
        password,
        ...settings,
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
      })
      client.on('error', () => {}) // the failing statement reports it
      try {
        await client.connect()
        await checkServer(client, where, CONNECT_MS)
        return client
      } catch (error) {
        client.end().catch(() => {})
        throw error
      }
    }
    let client: pg.Client
    try {
      client = await connect({ options: sessionSettings(0) }).catch((error) => {
        if (rejectsSettings(error)) return connect({})
        throw error
      })
    } catch (error) {
      reasons.push(refusalOf(error, where, user) ?? `${where} does not respond: ${reasonOf(error)}`)
      continue
    }
    const query: Admin['query'] = async (query, values) =>
      (await client.query({ ...query, values: values as unknown[] })).rows
    return work({ client, query })
      .catch((error) => {
        const refusal = refusalOf(error, where, user)
        throw refusal ? new Error(refusal, { cause: error }) : error
      })
      .finally(() => {
        client.end().catch(() => {})
      })
  }
  throw new Error(reasons.join('\n'))
}
