// Runs work in sessions of a pool, over several hosts, of which one accepts writes: until it succeeds, or its deadline.
import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StoreUnavailableError } from '../unavailable.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { isFault, RefusedError, refusalOf } from './faults.ts'
import { limiter } from './limiter.ts'
import { outageLog, type Report } from './outage.ts'
import { passwordFor } from './password.ts'
import { checkServer, rejectsSettings, sessionSettings } from './session-start.ts'

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

export interface Sessions {
  /**
   * `work` is run again after a transient error, so its statements must be idempotent. It may take until the deadline
   * (as performance.now() counts), by default the time for a request from now on. If it is long, the deadline counts
   * for reaching the server, and each of its statements has its own.
   * @throws StoreUnavailableError
   */
  run<T>(work: Work<T>, options?: { isLong?: boolean; deadline?: number }): Promise<T>
  /** Runs `work` once. Rejects with whatever failed, which is not reported. */
  attempt<T>(work: Work<T>, deadline: number): Promise<T>
  connections(): { used: number; idle: number; max: number; waiting: number }
  close(): Promise<void>
}

type Work<T> = (session: Session) => Promise<T>

export interface SessionsOptions {
  connection: ConnectionOptions
  poolSize: number
  /** Milliseconds after which a request gets a response, if only an error. */
  timeout: number
}

/** Requests that may wait for each connection. */
const LINE = 64
const RETRY_AFTER_S = 2
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 1000]
const IDLE_MS = 30_000
/** For metrics: publishes each statement as it is sent, with the promise of its result. */
const statementSent = channel('store-orders.statement-sent')

export function openSessions({ connection, poolSize, timeout }: SessionsOptions, report: Report = () => {}): Sessions {
  const { hosts, user, password, database, tls, applicationName } = connection
  const longest = timeout / 2 // so that there is time for another attempt
  let current = 0
  /** Hosts that take no settings at the start of a session. */
  const withoutSettings = new Set<number>()

  /** Each new connection goes to the host that took the last one. */
  class HostClient extends pg.Client {
    readonly at = current
    /** A commit of this session may not have reached the synchronous standby. */
    isDoubtful = false
    constructor(config: pg.ClientConfig) {
      const options = withoutSettings.has(current) ? {} : { options: sessionSettings(timeout) }
      super({ ...config, ...hosts[current], ...options, password: passwordFor(password) }) // the pool's is not enumerable
      this.on('error', () => {}) // the failing statement reports it; without a listener, it would end the process
      this.on('notice', ({ routine }) => {
        // The function that warns, as the text depends on the locale, and any trigger may warn with the same SQLSTATE.
        if (routine === 'SyncRepWaitForLSN') this.isDoubtful = true
      })
    }
    /** The pool calls it this way, and would leave a rejected connection open. */
    override connect(done?: (...result: never[]) => void): never {
      return super.connect((...result: unknown[]) => {
        if (result[0]) this.end()
        if (rejectsSettings(result[0])) {
          withoutSettings.add(this.at)
          result[0] = new Error(`${nameOf(this.at)} takes no settings of a session`, { cause: result[0] })
        }
        done?.(...(result as never[]))
      }) as never
    }
  }
  const pool = new pg.Pool({
    ...({ Client: HostClient } as object),
    user,
    database,
    ssl: tls,
    application_name: applicationName,
    max: poolSize,
    connectionTimeoutMillis: Math.ceil(timeout / (hosts.length + 1)),
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    onConnect: (client) => checkServer(client as pg.Client, nameOf((client as HostClient).at), timeout),
  })
  pool.on('error', () => {}) // an idle connection that broke: the pool has dropped it
  const watch = outageLog(report)
  const line = limiter(poolSize, LINE * poolSize)
  const nameOf = (at: number) => `${hosts[at]?.host}:${hosts[at]?.port}`

  async function send<Row extends pg.QueryResultRow>(
    client: HostClient,
    query: { name?: string; text: string },
    values: unknown[],
    limit: number,
  ): Promise<Row[]> {
    const config: pg.QueryConfig & { query_timeout: number } = { ...query, values, query_timeout: Math.ceil(limit) }
    const result = client.query<Row>(config)
    statementSent.publish({ name: query.name ?? query.text.trim().split(/\s/)[0], result })
    const { rows } = await result
    if (client.isDoubtful) throw new Error('a commit may not have reached the synchronous standby')
    return rows
  }

  /** Each statement may take as long as `limit` says when it is sent. After a transient error, another host is next. */
  async function attempt<T>(work: Work<T>, limit: () => number): Promise<T> {
    const at = current
    let client: HostClient | undefined
    try {
      client = (await pool.connect()) as unknown as HostClient
      const connected = client
      const value = await work({ query: (query, values = []) => send(connected, query, values, limit()) })
      release(connected)
      return value
    } catch (error) {
      if (client) release(client, true) // it may be in a transaction, or still at the statement
      if (current === at && (isFault(error) || refusalOf(error, nameOf(at), user))) current = (at + 1) % hosts.length
      throw error
    }
  }

  const within = (deadline: number) => () => Math.min(longest, Math.max(1, deadline - performance.now()))

  async function untilDeadline<T>(work: Work<T>, deadline: number, isLong: boolean) {
    const limit = isLong ? () => longest : within(deadline)
    const refusals = new Map<number, string>() // by host, while every host rejects
    let pause = FIRST_PAUSE_MS
    let done: { value: T } | undefined
    for (let tries = 1; !done; tries++) {
      const at = current
      try {
        done = { value: await attempt<T>(work, limit) }
      } catch (error) {
        const refusal = refusalOf(error, nameOf(at), user)
        if (!refusal && !isFault(error)) throw error
        if (refusal) refusals.set(at, refusal)
        else refusals.delete(at)
        if (refusals.size === hosts.length) throw unavailable(new RefusedError([...refusals.values()].join('; ')))
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
    async run(work, { isLong = false, deadline = performance.now() + timeout } = {}) {
      const leave = await line.enter(deadline)
      const done = untilDeadline(work, deadline, isLong).finally(leave)
      return watch(isLong ? done : before(deadline, done))
    },
    async attempt(work, deadline) {
      const leave = await line.enter(deadline)
      return attempt(work, within(deadline)).finally(leave)
    },
    connections: () => {
      const { totalCount, idleCount } = pool
      return { used: totalCount - idleCount, idle: idleCount, max: poolSize, waiting: line.waiting() }
    },
    close: () => pool.end(),
  }
}

const release = (client: pg.Client, isBroken = false) => (client as unknown as pg.PoolClient).release(isBroken)
const unavailable = (cause: unknown) => new StoreUnavailableError('PostgreSQL is unreachable', RETRY_AFTER_S, { cause })

/** Like the promise, but rejects at the deadline. */
export async function before<T>(deadline: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new StoreUnavailableError('no answer within the time for a request', RETRY_AFTER_S))
    timer = setTimeout(refuse, Math.max(0, deadline - performance.now()))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
