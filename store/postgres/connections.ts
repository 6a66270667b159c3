// Pooled connections to the host that accepts writes: of several, and of all addresses of a name.
import pg from 'pg'
import { clientConfig } from './client-config.ts'
import type { ConnectionOptions, HostAddress } from './connection-string.ts'
import { asOptions, prepareSession, rejectsSettings, sessionSettings } from './session-start.ts'

const IDLE_MS = 30_000

export interface HostClient extends pg.Client {
  /** The index of its host. */
  readonly at: number
  /** A task has succeeded. */
  hasServed: boolean
  /** As performance.now() counts. */
  usedAt: number
  /** A commit of this session may not have reached the synchronous standby. */
  isDoubtful: boolean
}

interface ConnectionsOptions {
  connection: ConnectionOptions
  poolSize: number
  timeout: number
}

export function openConnections({ connection, poolSize, timeout }: ConnectionsOptions) {
  const { hosts } = connection
  const settings = sessionSettings(timeout, connection.options)
  let current = 0
  /** Which address of a name comes first: another one once a server accepts no writes. */
  let rotation = 0
  /** Connections last used before this are not trusted, as performance.now() counts. */
  let suspectBefore = 0
  /** Hosts that reject settings in the start-up packet. */
  const withoutSettings = new Set<number>()

  const nameOf = (at: number) => `${hosts[at]?.host}:${hosts[at]?.port}`

  /** Connects to the current host. */
  class PooledClient extends pg.Client implements HostClient {
    readonly at = current
    readonly rotation = rotation
    hasServed = false
    usedAt = performance.now()
    isDoubtful = false
    constructor(config: pg.ClientConfig) {
      const options = withoutSettings.has(current) ? {} : { options: asOptions(settings, connection.options) }
      super({ ...config, ...clientConfig(connection, hosts[current] as HostAddress, rotation), ...options })
      this.on('error', () => {}) // the failing statement reports it; without a listener, the process would end
      this.on('notice', ({ routine }) => {
        // Identified by the function: the text depends on the locale, and any trigger may use the same SQLSTATE.
        if (routine === 'SyncRepWaitForLSN') this.isDoubtful = true
      })
    }
    /** The pool passes a callback, and would leave a rejected connection open. */
    override connect(done?: (...result: never[]) => void): never {
      return super.connect((...result: unknown[]) => {
        if (result[0]) void this.end()
        if (rejectsSettings(result[0], connection.options)) {
          withoutSettings.add(this.at)
          result[0] = new Error(`${nameOf(this.at)} rejects the settings of a session`, { cause: result[0] })
        }
        done?.(...(result as never[]))
      }) as never
    }
  }
  const pool = new pg.Pool({
    ...({ Client: PooledClient } as object),
    max: poolSize,
    connectionTimeoutMillis: Math.ceil(timeout / (hosts.length + 1)),
    idleTimeoutMillis: IDLE_MS,
    onConnect: (client) =>
      prepareSession(client as pg.Client, nameOf((client as PooledClient).at), { timeout, settings }),
  })
  pool.on('error', () => {}) // the pool has already dropped the broken idle connection

  return {
    /** The index of the host that is tried next. */
    current: () => current,
    nameOf,
    /** Closes idle connections to a former host, or that are suspect. */
    async connect(): Promise<HostClient> {
      for (;;) {
        const client = (await pool.connect()) as unknown as PooledClient
        if (client.at === current && client.rotation === rotation && client.usedAt >= suspectBefore) return client
        release(client, true)
      }
    },
    /** Unless that has already happened, the next connection goes to the host after this one. */
    leave(at: number) {
      if (current === at) current = (at + 1) % hosts.length
    },
    /** The next connection goes to another address of the host's name. */
    rotate() {
      rotation++
    },
    /** Idle connections last used before this time may have failed without being closed. */
    suspect(before: number) {
      suspectBefore = Math.max(suspectBefore, before)
    },
    counts: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, max: poolSize }),
    close: () => pool.end(),
  }
}

export const release = (client: pg.Client, isBroken = false) => (client as unknown as pg.PoolClient).release(isBroken)
