// TLS as the parameters of libpq describe it. Unlike in libpq, the server is verified by default.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A subset of those of node:tls. */
export interface TlsOptions {
  rejectUnauthorized: boolean
  ca?: string
  crl?: string
  cert?: string
  key?: string
  minVersion?: TlsVersion
  maxVersion?: TlsVersion
  checkServerIdentity?: () => undefined
}

type TlsVersion = 'TLSv1.2' | 'TLSv1.3'
type Setting = (name: string) => string | undefined

const isLocal = (host: string) => host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(host)

/** @returns a function that reads the files at each connection: certificates and keys may be replaced */
export function tlsOptions(setting: Setting, hosts: string[], home: string): () => TlsOptions | false {
  const isPlain = hosts.every(isLocal) && setting('sslrootcert') === undefined
  const mode = setting('sslmode') ?? (isPlain ? 'disable' : 'verify-full')
  if (mode === 'disable') {
    if (setting('channel_binding') === 'require')
      throw new Error('has channel_binding=require, but no TLS: set sslmode=verify-full')
    return () => false
  }
  oneOf('sslmode', mode, ['disable', 'require', 'verify-ca', 'verify-full'])
  const root = setting('sslrootcert') ?? ifReadable(join(home, '.postgresql/root.crt'))
  // Anybody can get a certificate of a public authority for some name.
  if (root === 'system' && mode !== 'verify-full')
    throw new Error(`has sslrootcert=system, which needs sslmode=verify-full, not ${mode}`)
  const cert = setting('sslcert') ?? ifReadable(join(home, '.postgresql/postgresql.crt'))
  const key = setting('sslkey') ?? ifReadable(join(home, '.postgresql/postgresql.key'))
  const crl = setting('sslcrl') ?? ifReadable(join(home, '.postgresql/root.crl'))
  // As in libpq, "require" only encrypts, unless a certificate authority is given.
  const rejectUnauthorized = mode !== 'require' || root !== undefined
  if (crl && !rejectUnauthorized) throw new Error('has a revocation list, but no authority: set sslmode=verify-full')
  const versions = versionsOf(setting)
  const options = () => ({
    rejectUnauthorized,
    ...versions,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(root && root !== 'system' && { ca: fileOf('sslrootcert', root) }),
    ...(crl && { crl: fileOf('sslcrl', crl) }),
    ...(cert && { cert: fileOf('sslcert', cert) }),
    ...(key && { key: fileOf('sslkey', key) }),
  })
  options() // a missing file is found at the start
  return options
}

/** Node.js speaks nothing older than TLS 1.2. */
function versionsOf(setting: Setting): Pick<TlsOptions, 'minVersion' | 'maxVersion'> {
  const allowed: TlsVersion[] = ['TLSv1.2', 'TLSv1.3']
  const read = (name: string) => {
    const version = setting(name)
    return version === undefined ? undefined : oneOf(name, version, allowed)
  }
  const [minVersion, maxVersion] = [read('ssl_min_protocol_version'), read('ssl_max_protocol_version')]
  if (minVersion === 'TLSv1.3' && maxVersion === 'TLSv1.2')
    throw new Error('has an ssl_min_protocol_version above its ssl_max_protocol_version')
  return { ...(minVersion && { minVersion }), ...(maxVersion && { maxVersion }) }
}

export function oneOf<T extends string>(parameter: string, value: string, allowed: T[]): T {
  if (allowed.includes(value as T)) return value as T
  throw new Error(`has ${parameter}=${value}: it must be one of ${allowed.join(', ')}`)
}

function ifReadable(path: string): string | undefined {
  try {
    readFileSync(path)
    return path
  } catch {
    return undefined
  }
}

function fileOf(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`has ${parameter}=${path}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
