// The connection parameters of libpq: which are used here, which have no effect, and which are rejected, because ignoring
// them would reach another server, or trust one that libpq rejects.

type Env = Record<string, string | undefined>

/** The parameters that are used, each with its environment variable. */
export const variables: Record<string, string> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcrl: 'PGSSLCRL',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  ssl_min_protocol_version: 'PGSSLMINPROTOCOLVERSION',
  ssl_max_protocol_version: 'PGSSLMAXPROTOCOLVERSION',
  application_name: 'PGAPPNAME',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  channel_binding: 'PGCHANNELBINDING',
  require_auth: 'PGREQUIREAUTH',
  sslnegotiation: 'PGSSLNEGOTIATION',
  options: 'PGOPTIONS',
}

/** Without an effect: they change neither which server is reached nor how it is verified. */
const harmless: Record<string, string> = {
  connect_timeout: 'PGCONNECT_TIMEOUT',
  load_balance_hosts: 'PGLOADBALANCEHOSTS',
  fallback_application_name: '',
  client_encoding: 'PGCLIENTENCODING',
  tcp_user_timeout: '',
  keepalives: '',
  keepalives_idle: '',
  keepalives_interval: '',
  keepalives_count: '',
  krbsrvname: 'PGKRBSRVNAME',
  gsslib: 'PGGSSLIB',
  gssdelegation: 'PGGSSDELEGATION',
  sslcompression: 'PGSSLCOMPRESSION',
  sslsni: 'PGSSLSNI',
  max_protocol_version: 'PGMAXPROTOCOLVERSION',
}

/** Rejected, unless they have one of these values. */
const restrictive: Record<string, [variable: string, ...unrestricted: string[]]> = {
  service: ['PGSERVICE'],
  hostaddr: ['PGHOSTADDR'],
  requirepeer: ['PGREQUIREPEER'],
  requiressl: ['PGREQUIRESSL', '0'],
  sslcrldir: ['PGSSLCRLDIR'],
  sslcertmode: ['PGSSLCERTMODE', 'allow'],
  gssencmode: ['PGGSSENCMODE', 'disable', 'prefer'],
  min_protocol_version: ['PGMINPROTOCOLVERSION', '3.0'],
}

/** Variables of libpq that say what is used otherwise, or that need a parameter from above. */
const otherVariables = [
  ...['PGPASSFILE', 'PGSERVICEFILE', 'PGSYSCONFDIR', 'PGOAUTHDEBUG', 'PGDATESTYLE', 'PGTZ', 'PGGEQO'],
]
/** All variables of libpq that are decided on. */
export const knownVariables: ReadonlySet<string> = new Set([
  ...Object.values(variables),
  ...Object.values(harmless),
  ...Object.values(restrictive).map(([variable]) => variable),
  ...otherVariables,
])

/**
 * @returns the names of the parameters and variables without an effect
 * @throws if one is unknown, or would be enforced by libpq but not here
 */
export function ignoredOf(parameters: Env, env: Env): string[] {
  for (const [name, [variable, ...unrestricted]] of Object.entries(restrictive)) {
    if (parameters[name] && !unrestricted.includes(parameters[name]))
      throw new Error(`has ${name}=${parameters[name]}, which is not supported: remove it`)
    const value = env[variable]
    if (value && parameters[name] === undefined && !unrestricted.includes(value))
      throw new Error(`does not support ${variable}=${value}: unset it`)
  }
  for (const name in parameters) {
    if (!(name in variables) && !(name in harmless) && !(name in restrictive))
      throw new Error(`has the parameter "${name}", which is not supported: use ${Object.keys(variables).join(', ')}`)
  }
  return [
    ...Object.keys(parameters).filter((name) => !(name in variables)),
    ...Object.values(harmless).filter((variable) => env[variable]),
  ]
}
