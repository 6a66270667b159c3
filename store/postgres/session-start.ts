// Prepares a new connection for the store, or rejects the server with an error that names it.
import pg from 'pg'
import { optionsProblem, PermanentError, RoleError } from './faults.ts'
import { facts, roleProblem, type ServerFacts, serverProblem } from './server-facts.ts'

/** Unknown to PostgreSQL before 17. */
const SINCE_17 = 'transaction_timeout'

type SessionSettings = Record<string, string>

/**
 * JIT compilation and custom plans cost more than they save here. A timeout of 0 means none. These replace the ones that
 * libpq's `options` give.
 */
export function sessionSettings(timeout: number, options: string): SessionSettings {
  const libpqOptions = Array.from(
    options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)=((?:\\.|\S)*)/g),
    ([, name = '', value = '']) => [name.replaceAll('-', '_'), value.replace(/\\(.)/g, '$1')],
  )
  return {
    ...Object.fromEntries(libpqOptions),
    jit: 'off',
    plan_cache_mode: 'force_generic_plan',
    default_transaction_isolation: 'read committed',
    search_path: 'pg_catalog',
    row_security: 'off', // raises an error instead of hiding orders
    statement_timeout: String(Math.ceil(timeout)),
    transaction_timeout: '0', // each statement has its limit; reading everything takes many
    idle_session_timeout: '0',
    idle_in_transaction_session_timeout: String(Math.ceil(timeout)),
    lock_timeout: String(Math.ceil(timeout / 5)),
  }
}

/**
 * For the start-up packet: unlike SET, it does not affect other clients of a pooler. After the given options, which may
 * be meant for a proxy.
 */
export function asOptions(settings: SessionSettings, options: string): string {
  const known = Object.entries(settings).filter(([name]) => name !== SINCE_17)
  const settingOptions = known.map(([name, value]) => `-c ${name}=${value.replace(/[\\\s]/g, '\\$&')}`)
  return [options, ...settingOptions].join(' ')
}

/** PgBouncer and RDS Proxy reject settings in the packet, and other engines do not know some. */
export function rejectsSettings(error: unknown, options: string): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code === '08P01' || error.code === '0A000') return true
  const unknown = /"(.*)"/.exec(error.message)?.[1]
  return error.code === '42704' && unknown !== undefined && !options.includes(unknown) // else it is named to the operator
}

/** Sets what the session, or its transaction, lacks: a proxy may have rejected or dropped what the packet had. */
const completed = `(SELECT pg_catalog.count(pg_catalog.set_config(wanted.name, wanted.value, $3))
  FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) wanted (name, value)
    LEFT JOIN pg_catalog.pg_settings s ON pg_catalog.lower(s.name) = pg_catalog.lower(wanted.name)
  WHERE s.setting IS DISTINCT FROM wanted.value AND (s.name IS NOT NULL OR wanted.name <> '${SINCE_17}')) AS completed`

interface Start {
  /** Of each statement, in milliseconds. */
  timeout: number
  settings: SessionSettings
  /** The settings are those of the open transaction. */
  isLocal?: boolean
}

/** Checks the server, and gives the session the settings that it lacks. @throws PermanentError, RoleError */
export async function prepareSession(
  client: pg.Client,
  where: string,
  { timeout, settings, isLocal = false }: Start,
): Promise<void> {
  const query = async (text: string, values: unknown[] = []) =>
    (await client.query({ text, values, query_timeout: Math.ceil(timeout) } as pg.QueryConfig)).rows[0]
  const check = (serverFacts: ServerFacts) => {
    const problem = serverProblem(serverFacts, where)
    /* c8 ignore next -- versions that are not supported */
    if (problem) throw new PermanentError(problem)
    const role = roleProblem(serverFacts, where)
    if (role) throw new RoleError(role)
  }
  try {
    check(await query(`${facts}, ${completed}`, [Object.keys(settings), Object.values(settings), isLocal]))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !/^(22|42|0A)/.test(String(error.code))) throw error
    if (isLocal) await client.query('ROLLBACK')
    check(await query(facts)) // another engine may not know the statement
    throw new PermanentError(optionsProblem(error, where))
  }
}
