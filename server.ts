// The process: configuration, store, app, ports, shutdown.

import { writeSync } from 'node:fs'
import { constants } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { dashboardNotice, earlyLog, keyNotice, progressLine, type Report } from './cli/terminal.ts'
import { type Config, type DomainsConfig, loadConfig } from './config/environment.ts'
import { digestOf, type Keys, loadKeys, makeKey } from './config/keys.ts'
import type { Publishing } from './domains/publish.ts'
import { type LogDestination, logDestination, loggerOptions } from './log.ts'
import { loadDocument, withServers } from './spec/document.ts'
import { loadOrders } from './store/memory/load.ts'
import type { OrderStore } from './store/order-store.ts'

/** After a signal, requests in progress get this long before the process ends regardless. */
const HARD_DEADLINE_MS = 10_000
/** The ports of the domains are public, wherever the API listens. */
const ANY_ADDRESS = ''
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
let isEnding = false

async function serve(config: Config, log: LogDestination) {
  const { host, port, servers, logLevel, domains, isProduction } = config
  const api = withRunKey(
    await loadKeys(config.apiKeys, 'API_KEYS', config.apiKeysFile),
    'API_KEYS or API_KEYS_FILE',
    isProduction,
  )
  const dashboard =
    domains && withRunKey(await loadKeys(domains.keys, 'DASHBOARD_KEYS'), 'DASHBOARD_KEYS', isProduction)
  const early = earlyLog()
  const orders = await openOrders(config, early.write)
  const publishing = domains && (await publish(domains))

  const app = await buildApp({
    orders,
    keys: api.keys,
    document: withServers(loadDocument(), servers),
    logger: await loggerOptions(logLevel, process.stdout.isTTY, log),
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    ...(publishing && dashboard && { dashboard: { domains: publishing.registry, keys: dashboard.keys } }),
  })
  early.flowTo(app.log)
  app.addHook('onClose', () => orders.close())
  if (publishing) app.addHook('preClose', publishing.close)
  for (const signal of stopSignals) process.off(signal, stopStarting)
  closeWithGrace({ delay: HARD_DEADLINE_MS, logger: app.log, skip: ['beforeExit'] }, async ({ signal, err }) => {
    isEnding = true
    if (err) app.log.fatal({ err }, 'unexpected error')
    else app.log.info({ signal }, 'shutting down')
    await app.close()
  })
  const origin = await app.listen({
    host,
    port,
    listenTextResolver: (address) => `API at ${address}/v1, docs at ${address}/docs`,
  })
  if (publishing && domains) {
    const taken = await publishing.listen(app, ANY_ADDRESS, domains.ports)
    app.log.info(`domains at ports ${taken.http} and ${taken.https}, managed at ${origin}/dashboard`)
  }
  if (api.runKey) process.stderr.write(keyNotice(api.runKey, origin))
  if (dashboard?.runKey) process.stderr.write(dashboardNotice(dashboard.runKey, origin))
}

/** Without any key, one is generated for this run. @throws in production */
function withRunKey(configured: Keys, variables: string, isProduction: boolean): { keys: Keys; runKey?: string } {
  if (configured.size > 0) return { keys: configured }
  if (isProduction) throw new Error(`NODE_ENV is production and there is no key: set ${variables}`)
  const runKey = makeKey()
  return { keys: new Map([[digestOf(runKey), 'this-run']]), runKey }
}

/** The database driver is loaded only if a database is configured. */
async function openOrders({ database, ordersFile = sampleOrders() }: Config, report: Report): Promise<OrderStore> {
  if (!database) return loadOrders(ordersFile, progressLine(process.stderr, ordersFile))
  const { openPostgresStore } = await import('./store/postgres/open.ts')
  return openPostgresStore(database, report)
}

/** Loaded only if configured, so the API alone does not load it. */
async function publish(config: DomainsConfig): Promise<Publishing> {
  const { fileStorage } = await import('./domains/files/storage.ts')
  const { publishDomains } = await import('./domains/publish.ts')
  const storage = await fileStorage({ folder: config.dataDir, configurationFile: config.configurationFile })
  return publishDomains({ ...config, storage })
}

function sampleOrders(): string {
  return fileURLToPath(import.meta.resolve('#sample-orders'))
}

function reasonOf(error: unknown): string {
  const { syscall, message } = error as NodeJS.ErrnoException
  return syscall === 'listen' ? `${message}. Choose another host or port; port 0 takes any free one.` : message
}

/** Logs the signal, then re-raises it. */
function stopStarting(signal: NodeJS.Signals) {
  say(`ended by ${signal} during the start: nothing was served`)
  // process.exit would wait for a read that is under way, which a pipe can hold up forever.
  process.kill(process.pid, signal)
  // PID 1 ignores signals without a handler.
  process.exit(128 + constants.signals[signal])
}

function say(message: string) {
  process.stderr.write(`store-orders: ${message}\n`)
}

process.stderr.on('error', () => {}) // it may be full or closed, too
for (const signal of stopSignals) process.once(signal, stopStarting)
const log = logDestination({ output: (bytes) => writeSync(1, bytes), report: say })
process.on('exit', log.end)
try {
  await serve(loadConfig(), log)
} catch (error) {
  // A signal while listening begins makes it fail; the signal's handler ends the process.
  if (!isEnding) {
    say(reasonOf(error))
    process.exit(1)
  }
}
