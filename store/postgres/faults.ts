// Classifies errors of PostgreSQL and of the connection to it: transient, or in need of an operator.
import pg from 'pg'

export const NO_PASSWORD = 'no password is configured'

/** An operator must change something: retrying cannot help. */
export class PermanentError extends Error {}

/** The server accepts no writes at present: servers change their roles by themselves. */
export class RoleError extends Error {}

/** SQLSTATE classes of errors after which a retry, perhaps at another host, may succeed. */
const transientClasses = ['08', '25', '40', '53', '55', '57', '58']

/** Why a server or a pooler ends a session for good: the login, the database, a privilege, or an option. */
const fatalForGood = /^(28|3D000|42501|42601|42704|22023)/

/** True if a retry of the statement may succeed. Any error that does not come from the server is transient. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return !(error instanceof PermanentError)
  if (isFatal(error)) return !fatalForGood.test(String(error.code))
  return transientClasses.some((code) => error.code?.startsWith(code))
}

const isFatal = ({ severity }: pg.DatabaseError) => severity === 'FATAL' || severity === 'PANIC'

/** Of the session's state, such as a prepared statement that a pooler has lost, or a server that has become a standby. */
const ofSession = /^(0A|24|26|34|3B|42P05|XX|F0)/

/** True if another session may do better. */
export function isOfSession(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ofSession.test(String(error.code))
}

/** True if the session has a prepared statement of this name. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P05'
}

/** True if the server has rejected the statement alone, so that the session can go on. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isFatal(error) && !isOfHost(error) && !isOfSession(error)
}

/** True if the server accepts no writes. */
export function isOfRole(error: unknown): boolean {
  return error instanceof RoleError || (error instanceof pg.DatabaseError && error.code === '25006')
}

/** True if another host may do better. After other transient errors, such as a lock timeout, it would do the same. */
export function isOfHost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|53|58|57P|25006)/.test(String(error.code))
}

/** True if the server has not responded in time, by the limit of a statement in pg. */
export function isReadTimeout(error: unknown): boolean {
  return (error as Error).message === 'Query read timeout'
}

/** What fails, for the log: a server that reports an error, such as a lock that somebody holds, can be reached. */
export function outageOf(error: unknown): string {
  if (error instanceof PermanentError || error instanceof RoleError) return 'PostgreSQL cannot be used'
  if (isReadTimeout(error)) return 'PostgreSQL does not respond in time'
  const isReported = error instanceof pg.DatabaseError && !/^(08|57P)/.test(String(error.code))
  return isReported ? 'PostgreSQL responds with an error' : 'PostgreSQL is unreachable'
}

/**
 * What the operator must change, in one line; undefined for transient errors. `where` names the server, `advice` what gives
 * the user the privileges that are missing.
 */
export function permanentReason(
  error: unknown,
  where: string,
  user: string,
  advice = `Run: store-orders migrate --grant ${user}`,
): string | undefined {
  if (error instanceof PermanentError) return error.message
  if (!(error instanceof pg.DatabaseError)) return localReason(error, where)
  const { code = '', message, severity, routine } = error
  if (code === '3D000') return `${where}: ${message}. Create it, or name another in DATABASE_URL`
  if (code === '28P01') return `${where} rejects the password of user "${user}"`
  if (code.startsWith('28')) return `${where} rejects user "${user}": ${message}`
  if (severity === 'FATAL' && ['42601', '42704', '22023'].includes(code)) return optionsProblem(error, where)
  if (code === '42501' && routine === 'check_enable_rls') return `${where}: ${RLS_ADVICE}`
  if (code === '42501') return `${where}: ${message}. ${advice}`
  return undefined
}

export const RLS_ADVICE =
  'row level security would hide orders. ALTER TABLE store_orders.orders DISABLE ROW LEVEL SECURITY, or let the role bypass it'

/** An option that the server does not know, or whose value it rejects. */
export function optionsProblem({ message }: Error, where: string): string {
  return `${where}: ${message}. Correct the options in DATABASE_URL or PGOPTIONS`
}

const tlsCodes = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT)/

function localReason(error: unknown, where: string): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException
  if (message === NO_PASSWORD) return `${where} asks for a password: set PGPASSWORD or PGPASSFILE`
  if (message === 'The server does not support SSL connections') {
    return `${where} does not speak TLS: configure it there, or set sslmode=disable`
  }
  if (message?.startsWith('SASL:')) return `${where} does not complete the login: ${message}. Is it your server?`
  if (code === undefined || !tlsCodes.test(code)) return undefined
  const advice =
    code === 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? 'Connect by a name in it, or set sslmode=verify-ca'
      : 'Name its authority with sslrootcert'
  return `${where} has a certificate that cannot be verified: ${message}. ${advice}`
}

/** What has exceeded `lock_timeout`. */
export function lockReason(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '55P03') return undefined
  return `another session holds a lock (${error.message})`
}

/** One line for the log, without the stack. */
export function reasonOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] }
  if (error instanceof pg.DatabaseError && code === '53100') return `the database has no space left (${message})`
  return lockReason(error) ?? (errors?.[0] ? reasonOf(errors[0]) : message || String(code))
}
