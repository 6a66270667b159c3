// Runs work in sessions of a pool, over several hosts, of which one accepts writes: until it succeeds, or its deadline.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StoreUnavailableError } from '../unavailable.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { isFault, RefusedError, refusalOf } from './faults.ts'
import { limiter } from './limiter.ts'
import { outageLog, type Report } from './outage.ts'
import { passwordFor } from './password.ts'
import { prepareSession } from './prepare-session.ts'

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
   * `work` is run again after a transient error, so its statements must be idempotent.
   * If it is long, the deadline counts for reaching the server, and each of its statements has its own.
   * @throws StoreUnavailableError
   */
  run<T>(work: (session: Session) => Promise<T>, options?: { isLong?: boolean }): Promise<T>
  connections(): { used: number; idle: number; max: number; waiting: number }
  close(): Promise<void>
}

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

export function openSessions({ connection, poolSize, timeout }: SessionsOptions, report: Report = () => {}): Sessions {
  const { hosts, user, password, database, tls, applicationName } = connection
  const attempt = timeout / 2 // so that there is time for another one
  let current = 0

  /** Each new connection goes to the host that took the last one. */
  class HostClient extends pg.Client {
    readonly at = current
    constructor(config: pg.ClientConfig) {
      super({ ...config, ...hosts[current], password: passwordFor(password) }) // the pool's is not enumerable
      this.on('error', () => {}) // the failing statement reports it; without a listener, it would end the process
    }
    /** The pool calls it this way, and would leave a rejected connection open. */
    override connect(done?: (...result: never[]) => void): never {
      return super.connect((...result: unknown[]) => {
        if (result[0]) this.end()
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
    onConnect: (client) => prepareSession(client as pg.Client, nameOf((client as HostClient).at), timeout),
  })
  pool.on('error', () => {}) // an idle connection that broke: the pool has dropped it
  const watch = outageLog(report)
  const line = limiter(poolSize, LINE * poolSize)
  const nameOf = (at: number) => `${hosts[at]?.host}:${hosts[at]?.port}`

  async function attemptOnce<T>(work: (session: Session) => Promise<T>, limit: () => number): Promise<T> {
    const client = await pool.connect()
    try {
      const value = await work({ query: (query, values) => send(client, query, values, limit()) })
      client.release()
      return value
    } catch (error) {
      client.release(true) // it may be in a transaction, or still at the statement
      throw error
    }
  }

  async function untilDeadline<T>(work: (session: Session) => Promise<T>, deadline: number, isLong: boolean) {
    const limit = isLong ? () => attempt : () => Math.min(attempt, Math.max(1, deadline - performance.now()))
    const refusals = new Map<number, string>() // by host, while every host rejects
    let pause = FIRST_PAUSE_MS
    let done: { value: T } | undefined
    for (let tries = 1; !done; tries++) {
      const at = current
      try {
        done = { value: await attemptOnce<T>(work, limit) }
      } catch (error) {
        const refusal = refusalOf(error, nameOf(at), user)
        if (!refusal && !isFault(error)) throw error
        if (refusal) refusals.set(at, refusal)
        else refusals.delete(at)
        if (current === at) current = (at + 1) % hosts.length
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
    async run(work, { isLong = false } = {}) {
      const deadline = performance.now() + timeout
      const leave = await line.enter(deadline)
      const done = untilDeadline(work, deadline, isLong).finally(leave)
      return watch(isLong ? done : before(deadline, done))
    },
    connections: () => {
      const { totalCount, idleCount } = pool
      return { used: totalCount - idleCount, idle: idleCount, max: poolSize, waiting: line.waiting() }
    },
    close: () => pool.end(),
  }
}

const unavailable = (cause: unknown) => new StoreUnavailableError('PostgreSQL is away', RETRY_AFTER_S, { cause })

/** A statement with a warning may not have taken effect: a commit did not reach the synchronous standby. */
async function send<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  query: { name?: string; text: string },
  values: unknown[] | undefined,
  limit: number,
): Promise<Row[]> {
  let warning: string | undefined
  const note = (notice: { severity?: string | undefined; message?: string | undefined }) => {
    if (notice.severity === 'WARNING') warning = notice.message
  }
  client.on('notice', note)
  try {
    const config: pg.QueryConfig & { query_timeout: number } = {
      ...query,
      values: values ?? [],
      query_timeout: Math.ceil(limit),
    }
    const { rows } = await client.query<Row>(config)
    if (warning !== undefined) throw new Error(warning)
    return rows
  } finally {
    client.off('notice', note)
  }
}

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
