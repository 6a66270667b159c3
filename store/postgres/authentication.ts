// Enforces channel_binding=require and require_auth. pg logs in by whatever method the server names, so that a server in the
// middle could ask for the password itself, or for nothing and receive the statements.
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { PermanentError } from './faults.ts'

const methods = ['password', 'md5', 'scram-sha-256', 'none'] as const
type Method = (typeof methods)[number]
/** Those of libpq that pg does not implement, and so never uses. */
const others = ['gss', 'sspi', 'oauth']
const PLUS = 'SCRAM-SHA-256-PLUS'

export interface AuthenticationPolicy {
  allowed: ReadonlySet<Method>
  /** SCRAM bound to the certificate of the connection: the server in the middle has another one. */
  needsChannelBinding: boolean
}

/** @param text of require_auth, which may list what is allowed, or what is not, with exclamation marks */
export function allowedMethods(text: string | undefined): ReadonlySet<Method> {
  if (text === undefined) return new Set(methods)
  const names = text.split(',').map((name) => name.trim())
  const excluded = names.filter((name) => name.startsWith('!')).map((name) => name.slice(1))
  const named = excluded.length > 0 ? excluded : names
  const isMixed = excluded.length > 0 && excluded.length < names.length
  if (isMixed || !named.every((name) => [...methods, ...others].includes(name)))
    throw new Error(`has require_auth=${text}: list methods of ${methods.join(', ')}, or each with an exclamation mark`)
  const allowed = methods.filter((method) => named.includes(method) === (excluded.length === 0))
  if (allowed.length === 0) throw new Error(`has require_auth=${text}, which leaves none of ${methods.join(', ')}`)
  return new Set(allowed)
}

interface Options {
  stream: Duplex
  ssl: object | false
  sslNegotiation: string
  keepAlive: boolean
  keepAliveInitialDelayMillis: number
}

/** A connection for pg that ends before it answers a server against the policy. */
export function guardedConnection(options: Options, policy: AuthenticationPolicy, where: string): pg.Connection {
  const connection = new pg.Connection(options as object)
  const judge = judgeOf(policy)
  let isRejected = false
  connection.emit = (name: string, ...args: unknown[]) => {
    const problem = isRejected ? undefined : judge(name, args[0] as { mechanisms?: string[] })
    if (problem) {
      isRejected = true
      connection.stream.destroy()
      return emit(
        'error',
        new PermanentError(`${where} ${problem}. Is it your server? Else DATABASE_URL asks for too much`),
      )
    }
    if (name === 'error')
      isRejected = true // more may follow in the same packet
    else if (isRejected && name !== 'end') return false
    if (name === 'readyForQuery') Reflect.deleteProperty(connection, 'emit') // authenticated
    return emit(name, ...args)
  }
  function emit(name: string, ...args: unknown[]): boolean {
    return pg.Connection.prototype.emit.call(connection, name, ...args)
  }
  catchParseErrors(connection)
  return connection
}

/** @returns a function that takes each message of the server, and says what is wrong with it */
function judgeOf({ allowed, needsChannelBinding }: AuthenticationPolicy) {
  let used: Method = 'none'
  let isProven = true

  function problemOf(method: Method, mechanisms: readonly string[] = []) {
    used = method
    if (needsChannelBinding && !mechanisms.includes(PLUS))
      return `wants the login ${method} without channel binding, which channel_binding=require forbids`
    return allowed.has(method) ? undefined : `wants the login ${method}, which require_auth forbids`
  }

  return (name: string, message: { mechanisms?: string[] } | undefined): string | undefined => {
    if (name === 'authenticationCleartextPassword') return problemOf('password')
    if (name === 'authenticationMD5Password') return problemOf('md5')
    if (name === 'authenticationSASL') {
      isProven = false
      return problemOf('scram-sha-256', message?.mechanisms)
    }
    if (name === 'authenticationSASLFinal') isProven = true // pg has verified it, or emits an error
    if (name !== 'authenticationOk') return undefined
    if (!isProven) return 'does not prove that it knows the password'
    return used === 'none' ? problemOf('none') : undefined
  }
}

/** pg parses in a listener of the stream, where an error would end the process. */
function catchParseErrors(connection: pg.Connection): void {
  const parsing = connection as unknown as { attachListeners(stream: Duplex): void }
  const attach = parsing.attachListeners.bind(connection)
  parsing.attachListeners = (stream) => {
    const before = new Set(stream.listeners('data'))
    attach(stream)
    for (const listener of stream.listeners('data').filter((each) => !before.has(each))) {
      stream.removeListener('data', listener as () => void)
      stream.on('data', (chunk) => {
        try {
          listener(chunk)
        } catch (error) {
          stream.destroy(error as Error)
        }
      })
    }
  }
}
