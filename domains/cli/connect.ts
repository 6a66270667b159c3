// A client of the dashboard's API on a running server.
import createClient from 'openapi-fetch'
import { loadConnection } from '../../config/environment.ts'
import type { paths } from '../api/dashboard.d.ts'
import type { Client } from './commands.ts'

export function connect(env: NodeJS.ProcessEnv): Client {
  const { host, port, key } = loadConnection(env)
  if (key === undefined) throw new Error('DASHBOARD_KEYS must contain a key of the server, as name:key')
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}/dashboard/v1`
  return createClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${key}` },
    fetch: (request) =>
      fetch(request).catch((cause) => {
        throw new Error(
          `no server responds at ${baseUrl}: check that it is running, and that HOST and PORT are the same`,
          { cause },
        )
      }),
  })
}
