// Checks everything that a start depends on, without changing or serving anything.
import { clockWarnings } from '../config/clock.ts'
import { type Config, loadConfig } from '../config/environment.ts'
import { expiredWarnings } from '../config/keys/expired.ts'
import { loadNeededKeys } from '../config/keys/key-set.ts'
import { hostProblems, portProblems } from '../config/ports.ts'
import { countOf, loadOrders } from '../store/memory/load.ts'
import { examineDatabase } from '../store/postgres/examine.ts'
import type { Terminal } from './terminal.ts'

/** Headers that are trusted from proxies in TRUST_PROXY. Fastify reads the first three, the documentation the last one. */
export const believedHeaders = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Prefix']

/** With `offline`, leaves out what is in the database. */
export async function checkCommand(
  { json, offline = false }: { json?: boolean; offline?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { stdout, stderr, env } = terminal
  const { notes, warnings, problems } = await findingsOf(env, offline)
  const isOk = problems.length === 0
  if (!isOk) terminal.exitCode = 1
  if (json) {
    stdout.write(`${JSON.stringify({ ok: isOk, problems, warnings, notes })}\n`)
    return
  }
  for (const note of notes) stderr.write(`note: ${note}\n`)
  for (const warning of warnings) stderr.write(`warning: ${warning}\n`)
  for (const problem of problems) stderr.write(`store-orders: ${problem}\n`)
  if (isOk) stdout.write('The server can start.\n')
}

async function findingsOf(env: NodeJS.ProcessEnv, isOffline: boolean) {
  let config: Config
  try {
    config = loadConfig(env)
  } catch (error) {
    return { notes: [], warnings: [], problems: (error as Error).message.split('\n') }
  }
  const { apiKeys, apiKeysFile, domains, isProduction } = config
  const problems = [...portProblems(config), ...(await hostProblems(config))]
  const warnings = [...clockWarnings(), ...config.misspelled, ...config.warnings]
  for (const check of [
    async () => {
      const { keys } = await loadNeededKeys({ values: apiKeys, variable: 'API_KEYS', file: apiKeysFile }, isProduction)
      warnings.push(...expiredWarnings(keys))
    },
    () => domains && loadNeededKeys({ values: domains.keys, variable: 'DASHBOARD_KEYS' }, isProduction),
    async () => {
      if (isOffline || !config.database) return
      const { connection, timeout } = config.database
      warnings.push(...(await examineDatabase(connection, timeout)))
    },
    async () => {
      if (config.database || !config.ordersFile) return
      if ((await countOf(await loadOrders(config.ordersFile))) === 0) warnings.push(`0 orders in ${config.ordersFile}`)
    },
    async () => (await import('../domains/check.ts')).checkDomains(config, isOffline),
  ])
    problems.push(...(await linesOf(check)))
  return { notes: proxyNotes(config), warnings, problems }
}

/** Consequences of the configuration that are easily overlooked. */
function proxyNotes({ app: { trustProxy } }: Config): string[] {
  if (trustProxy.length === 0) return []
  return [
    `${believedHeaders.join(', ')} are believed from ${trustProxy.join(', ')}: these proxies must set or remove each`,
  ]
}

/** The lines of the error that a check throws. */
async function linesOf(check: () => unknown): Promise<string[]> {
  try {
    await check()
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}
