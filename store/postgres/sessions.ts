// Runs tasks in pooled sessions, and retries them until a deadline. Of several hosts, one accepts writes.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { statementSent } from '../channels.ts'
import { StoreUnavailableError } from '../unavailable.ts'
import { connectionQueue } from './connection-queue.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { type HostClient, openConnections, release } from './connections.ts'
import { RETRY_AFTER_S, withDeadline } from './deadline.ts'
import {
  isNameTaken,
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
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 1000]

export function openSessions({ connection, poolSize, timeout }: SessionsOptions, log: LogFunction = () => {}) {
  const { hosts, user } = connection
  const longest = timeout / 2 // leaves time for another attempt
  const connections = openConnections({ connection, poolSize, timeout })
  const reported = reportOutages(log)
  const countTime = reportSlow(log)
  const queue = connectionQueue(poolSize, QUEUE_PER_CONNECTION * poolSize)
  const { nameOf } = connections
  /** False once a new session has had a statement that it did not prepare: those of PGlite are one. */
  let isPrepared = true
  const closing = new AbortController()

  async function send<Row extends pg.QueryResultRow>(
    client: HostClient,
    query: { name?: string; text: string },
    values: unknown[],
    limit: number,
    isBackground: boolean,
  ): Promise<Row[]> {
    const statement = isPrepared ? query : { text: query.text }
    const config: pg.QueryConfig & { query_timeout: number } = { ...statement, values, query_timeout: Math.ceil(limit) }
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

  /** `limit` returns how long the next statement may take. If the host has failed, the next attempt uses another one. */
  async function attempt<T>(
    task: Task<T>,
    limit: () => number,
    { isBackground = false, request = randomUUID() }: { isBackground?: boolean; request?: string } = {},
  ): Promise<T> {
    const at = connections.current()
    const begin = performance.now()
    let client: HostClient | undefined
    try {
      client = await connections.connect()
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
      if (isReadTimeout(error) && !isBackground) connections.suspect(begin)
      const failed = client?.at ?? at
      if (isOfHost(error) || permanentReason(error, nameOf(failed), user)) connections.leave(failed)
      if (isOfRole(error)) connections.rotate()
      if (client && !client.hasServed && isNameTaken(error)) {
        isPrepared = false
        throw new Error(`sessions share prepared statements: ${reasonOf(error)}`, { cause: error })
      }
      // A pooler has lost the session's state, or the server has changed its role, for the other sessions, too.
      if (client?.hasServed && isOfSession(error)) {
        connections.suspect(performance.now())
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
      const at = connections.current()
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
          await sleep(wait, undefined, { signal: closing.signal }).catch(() => {})
          pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
        }
        if (closing.signal.aborted) throw unavailable(error)
      }
    }
    return done.value
  }

  return {
    /**
     * Retries the task after a transient error. A statement that changes something takes its request, to do so once. The
     * deadline (as performance.now() counts) is by default that of a request that begins now. For a long task it limits only
     * how long it takes to reach the server; each statement has its own limit.
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
    connections: () => ({ ...connections.counts(), waiting: queue.waiting() }),
    /** Before a close: what fails from now on is not tried again. */
    stopRetries: () => closing.abort(),
    /** What fails from now on is not tried again, either: a prune that nobody waits for, for example. */
    close() {
      closing.abort()
      return connections.close()
    },
  }
}

const rejected = (cause: unknown) =>
  new StoreUnavailableError('PostgreSQL rejected a statement', RETRY_AFTER_S, { cause })
const unavailable = (cause: unknown) => new StoreUnavailableError(outageOf(cause), RETRY_AFTER_S, { cause })
