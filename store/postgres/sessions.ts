// Runs tasks in pooled sessions, and retries them until a deadline. Of several hosts, one accepts writes.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { statementSent } from '../channels.ts'
import { StoreUnavailableError } from '../unavailable.ts'
import { clientConfig } from './client-config.ts'
import { connectionQueue } from './connection-queue.ts'
import type { ConnectionOptions, HostAddress } from './connection-string.ts'
import {
  isOfHost,
  isOfRole,
  isOfSession,
  isOfStatement,
  isReadTimeout,
  isTransient,
  outageOf,
  PermanentError,
  permanentReason,
  reasonOf,
} from './faults.ts'
import { type LogFunction, reportOutages, reportSlow } from './outage.ts'
import { asOptions, prepareSession, rejectsSettings, sessionSettings } from './session-start.ts'

export interface Session {
  query<Row extends pg.QueryResultRow>(query: { name?: string; text: string }, values?: unknown[]): Promise<Row[]>
}

/** The row of a query that always has one. */
export async function queryRow<Row extends pg.QueryResultRow>(
  session: Session,
  query: { name?: string; text: string },
  values?: unknown[],
): Promise<Row> {
  const [row] = await session.query<Row>(query, values)
  return row as Row
}

export type Sessions = ReturnType<typeof openSessions>

/** Each attempt gets the same request, by which a change recognizes that it has been made before. */
type Task<T> = (session: Session, request: string) => Promise<T>

export interface SessionsOptions {
  connection: ConnectionOptions
  poolSize: number
  /** Milliseconds after which a request gets a response, even if it is an error. */
  timeout: number
}

/** How many requests may queue for each connection. */
const QUEUE_PER_CONNECTION = 64
const RETRY_AFTER_S = 2
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 1000]
const IDLE_MS = 30_000

export function openSessions({ connection, poolSize, timeout }: SessionsOptions, log: LogFunction = () => {}) {
  const { hosts, user } = connection
  const longest = timeout / 2 // leaves time for another attempt
  const settings = sessionSettings(timeout, connection.options)
  let current = 0
  /** Which address of a name comes first: another one once a server accepts no writes. */
  let rotation = 0
  /** Connections last used before this are not trusted, as performance.now() counts. */
  let suspectBefore = 0
  /** Hosts that reject settings in the start-up packet. */
  const withoutSettings = new Set<number>()

  /** Connects to the current host. */
  class HostClient extends pg.Client {
    readonly at = current
    readonly rotation = rotation
    hasServed = false
    usedAt = performance.now()
    /** A commit of this session may not have reached the synchronous standby. */
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
    ...({ Client: HostClient } as object),
    max: poolSize,
    connectionTimeoutMillis: Math.ceil(timeout / (hosts.length + 1)),
    idleTimeoutMillis: IDLE_MS,
    onConnect: (client) =>
      prepareSession(client as pg.Client, nameOf((client as HostClient).at), { timeout, settings }),
  })
  pool.on('error', () => {}) // the pool has already dropped the broken idle connection
  const reported = reportOutages(log)
  const countTime = reportSlow(log)
  const queue = connectionQueue(poolSize, QUEUE_PER_CONNECTION * poolSize)
  const nameOf = (at: number) => `${hosts[at]?.host}:${hosts[at]?.port}`

  async function send<Row extends pg.QueryResultRow>(
    client: HostClient,
    query: { name?: string; text: string },
    values: unknown[],
    limit: number,
    isBackground: boolean,
  ): Promise<Row[]> {
    const config: pg.QueryConfig & { query_timeout: number } = { ...query, values, query_timeout: Math.ceil(limit) }
    const name = query.name ?? (query.text.trim().split(/\s/)[0] as string)
    const sentAt = performance.now()
    const result = client.query<Row>(config)
    statementSent.publish({ name, result })
    const { rows } = await result
    client.usedAt = performance.now()
    if (!isBackground) countTime(name, client.usedAt - sentAt)
    if (client.isDoubtful) throw new Error('a commit may not have reached the synchronous standby')
    return rows
  }

  /** Closes idle connections to a former host, or from before a timeout: they may have failed without being closed. */
  async function connect(): Promise<HostClient> {
    for (;;) {
      const client = (await pool.connect()) as unknown as HostClient
      if (client.at === current && client.rotation === rotation && client.usedAt >= suspectBefore) return client
      release(client, true)
    }
  }

  /** `limit` returns how long the next statement may take. If the host has failed, the next attempt uses another one. */
  async function attempt<T>(
    task: Task<T>,
    limit: () => number,
    { isBackground = false, request = randomUUID() }: { isBackground?: boolean; request?: string } = {},
  ): Promise<T> {
    const at = current
    const begin = performance.now()
    let client: HostClient | undefined
    try {
      client = await connect()
      const connected = client
      const query: Session['query'] = (query, values = []) => send(connected, query, values, limit(), isBackground)
      const value = await task({ query }, request)
      connected.hasServed = true
      release(connected)
      return value
    } catch (error) {
      // It may be in a transaction, or still running the statement.
      if (client) release(client, !isOfStatement(error) || client.getTransactionStatus() !== 'I')
      // A NAT or a firewall forgets idle connections, all of them.
      if (isReadTimeout(error) && !isBackground) suspectBefore = Math.max(suspectBefore, begin)
      const failed = client?.at ?? at
      if (current === failed && (isOfHost(error) || permanentReason(error, nameOf(failed), user)))
        current = (failed + 1) % hosts.length
      if (isOfRole(error)) rotation++
      // A pooler has lost the session's state, or the server has changed its role, for the other sessions, too.
      if (client?.hasServed && isOfSession(error)) {
        suspectBefore = performance.now()
        throw new Error(`a session has become unusable: ${reasonOf(error)}`, { cause: error })
      }
      throw error
    }
  }

  const within = (deadline: number) => () => Math.min(longest, Math.max(1, deadline - performance.now()))

  async function retryUntil<T>(task: Task<T>, deadline: number, isLong: boolean, onError: (error: unknown) => void) {
    const limit = isLong ? () => longest : within(deadline)
    const reasons = new Map<number, string>() // by host, for those whose last error was permanent
    let pause = FIRST_PAUSE_MS
    const request = randomUUID()
    let done: { value: T } | undefined
    for (let tries = 1; !done; tries++) {
      const at = current
      try {
        done = { value: await attempt<T>(task, limit, { request }) }
      } catch (error) {
        onError(error)
        const reason = permanentReason(error, nameOf(at), user)
        if (!reason && !isTransient(error)) throw rejected(error)
        if (reason) reasons.set(at, reason)
        else reasons.delete(at)
        if (reasons.size === hosts.length) throw unavailable(new PermanentError([...reasons.values()].join('; ')))
        const wait = tries % hosts.length === 0 ? pause : 0
        if (performance.now() + wait >= deadline) throw unavailable(error)
        if (wait > 0) {
          await sleep(wait)
          pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
        }
      }
    }
    return done.value
  }

  return {
    /**
     * Retries the task after a transient error. A statement that changes something takes its request, to do so once. The deadline (as performance.now()
     * counts) is by default that of a request that begins now. For a long task it limits only how long it takes to reach
     * the server; each statement has its own limit.
     * @throws StoreUnavailableError
     */
    async run<T>(task: Task<T>, options: { isLong?: boolean; deadline?: number } = {}): Promise<T> {
      const { isLong = false, deadline = performance.now() + timeout } = options
      const leave = await queue.enter(deadline)
      let last: unknown // why the attempts before the one at the deadline have failed
      const onError = (error: unknown) => {
        last = error
      }
      const result = retryUntil(task, deadline, isLong, onError).finally(leave)
      return reported(isLong ? result : withDeadline(deadline, result, () => last && unavailable(last)))
    },
    /** Runs the task once. Rejects with any error, without reporting it. */
    async attempt<T>(task: Task<T>, deadline: number): Promise<T> {
      const leave = await queue.enter(deadline)
      return attempt(task, within(deadline)).finally(leave)
    },
    /** Runs a task once that no request waits for, with its own limit for each statement. Reports nothing. */
    async background<T>(task: Task<T>, limit: number): Promise<T> {
      const leave = await queue.enter(performance.now() + timeout)
      const result = attempt(task, () => limit, { isBackground: true }).finally(leave)
      return result.catch((error) => {
        throw unavailable(error)
      })
    },
    connections: () => {
      const { totalCount, idleCount } = pool
      return { used: totalCount - idleCount, idle: idleCount, max: poolSize, waiting: queue.waiting() }
    },
    close: () => pool.end(),
  }
}

const release = (client: pg.Client, isBroken = false) => (client as unknown as pg.PoolClient).release(isBroken)
const rejected = (cause: unknown) =>
  new StoreUnavailableError('PostgreSQL rejected a statement', RETRY_AFTER_S, { cause })
const unavailable = (cause: unknown) => new StoreUnavailableError(outageOf(cause), RETRY_AFTER_S, { cause })

/** Settles as the promise does, or rejects at the deadline, with the known reason if there is one. */
export async function withDeadline<T>(deadline: number, promise: Promise<T>, reason?: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const expire = () =>
      reject(reason?.() || new StoreUnavailableError('PostgreSQL does not respond in time', RETRY_AFTER_S))
    timer = setTimeout(expire, Math.max(0, deadline - performance.now()))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
