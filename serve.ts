// The process: reads the configuration, opens the store and the ports, and shuts down. server.ts loads it.

import { existsSync, readFileSync, writeSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import closeWithGrace, { type Options } from 'close-with-grace'
import { modelOf } from 'exact-openapi/model'
import type { FastifyInstance } from 'fastify'
import { type ConnectionLimits, createConnectionLimits } from 'http-edge'
import { buildApps } from './app.ts'
import { clockWarnings } from './config/clock.ts'
import { builtCommit } from './config/commit.ts'
import { type Config, loadConfig } from './config/environment.ts'
import { expiredWarnings } from './config/keys/expired.ts'
import { dashboardNotice, keyNotice } from './config/keys/notices.ts'
import { openKeys } from './config/keys/open.ts'
import { openDomains, registerDomainMetrics } from './domains/index.ts'
import { earlyLog } from './early-log.ts'
import './next-tick.ts'
import { ignoredHangup, reportIgnoredSignals, stopOnSignals } from './signals.ts'
import { loadDocument, withPublicServers } from './spec/document.ts'
import { progressLine } from './store/file/progress.ts'
import { countOf, loadOrders } from './store/memory/load.ts'
import type { OrderStore } from './store/order-store.ts'
import { logDestination, loggerOptions, openWithoutBlocking, startTelemetry } from './telemetry/index.ts'

/** After SHUTDOWN_DELAY, the process ends if closing takes longer than this. */
const HARD_DEADLINE_MS = 10_000
/** The ports of the domains are public even if the API listens on loopback. */
const ANY_ADDRESS = ''
const LIMITS_FILE = '/proc/self/limits'
let isEnding = false
const shutdown = new AbortController()
const early = earlyLog()
const [stdout, stderr] = [openWithoutBlocking(1), openWithoutBlocking(2)]
const log = logDestination({ output: (bytes) => writeSync(stdout, bytes), report: say })

/** Runs the server, or exits with 1. Call it once. */
export async function run() {
  process.stderr.on('error', () => {}) // of Node.js's own warnings
  const endEarlyStop = stopOnSignals()
  reportIgnoredSignals((message) => early.write('info', message))
  process.on('exit', log.end)
  let hints: readonly string[] = []
  try {
    const config = loadConfig()
    hints = config.misspelled
    await serve(config, endEarlyStop)
  } catch (error) {
    // A signal while listening begins makes it fail; the signal's handler ends the process.
    if (!isEnding) {
      say(adviceFor(error))
      for (const hint of hints) say(hint)
      process.exit(1)
    }
  }
}

/** Opens the store, the domains and telemetry, then the ports. Closing the app closes them all. */
async function serve(config: Config, endEarlyStop: () => void) {
  const { domains, metrics, tracing, isProduction } = config
  const { version } = modelOf(loadDocument()).info
  const commit = builtCommit()
  early.write('info', `Store Orders ${version}, commit ${commit}, on Node.js ${process.versions.node}`)
  for (const warning of [...clockWarnings(), ...config.misspelled, ...config.warnings]) early.write('warn', warning)

  const sources = { values: config.apiKeys, variable: 'API_KEYS', file: config.apiKeysFile }
  const { keys, runKey, follow } = await openKeys(sources, isProduction)
  for (const warning of expiredWarnings(keys.current)) early.write('warn', warning)
  const dashboardKeys = domains && (await openKeys({ values: domains.keys, variable: 'DASHBOARD_KEYS' }, isProduction))
  const telemetry = await startTelemetry({ metrics, tracing, version, commit, keys, log, report: early.write })
  const connectionLimits = createConnectionLimits()
  telemetry.metrics?.watchConnections(connectionLimits)
  const orders = await openOrders(config)
  telemetry.watchStore(orders)
  const publishing = domains && (await openDomains(domains, config.database, early.write))
  if (publishing && telemetry.metrics) registerDomainMetrics(telemetry.metrics, publishing.domains)

  const { app, domainsApp } = await buildApps({
    ...config.app,
    orders,
    keys,
    document: withPublicServers(loadDocument(), config.servers),
    logger: await loggerOptions(config.logLevel, process.stdout.isTTY, log),
    observers: telemetry.observers,
    shutdown: shutdown.signal,
    connectionLimits,
    isApiAtDomains: domains?.isApiAtDomains ?? false,
    dashboard: publishing && dashboardKeys && { service: publishing.service, keys: dashboardKeys.keys },
  })
  app.addHook('onClose', () => orders.close())
  if (publishing) app.addHook('preClose', publishing.domains.close)
  app.addHook('onClose', follow(app.log))
  early.flowTo(app.log)
  setConnectionLimits(connectionLimits, app, config, telemetry.maxConnections)
  closeOnSignals(app, config)
  endEarlyStop()

  await telemetry.serve(app)
  const listenTextResolver = (address: string) => `API at ${address}/v1, docs at ${address}/docs`
  const origin = await app.listen({ host: config.host, port: config.port, listenTextResolver })
  if (publishing && domains && domainsApp) {
    const taken = await publishing.listenAt(domainsApp, { host: ANY_ADDRESS, ports: domains.ports }, connectionLimits)
    app.log.info(`domains at ports ${taken.http} and ${taken.https}, managed at ${origin}/dashboard`)
  }
  if (runKey) print(keyNotice(runKey, origin))
  if (dashboardKeys?.runKey) print(dashboardNotice(dashboardKeys.runKey, origin))
}

/** @param reserved how many connections others hold */
function setConnectionLimits(
  connectionLimits: ConnectionLimits,
  app: FastifyInstance,
  config: Config,
  reserved: number,
) {
  const maxConnections = Math.max(1, descriptorLimit() - reserved - (config.database?.poolSize ?? 0))
  connectionLimits.set({
    maxConnections,
    onFull: () =>
      app.log.warn(
        `${maxConnections} connections are open, as many as the descriptor limit allows; closing further ones`,
      ),
    maxPerAddress: Math.max(1, Math.floor(config.maxAddressShare * maxConnections)),
    proxies: config.app.trustProxy,
    onLimited: (resource, ip) =>
      app.log.warn({ ip, resource }, 'an address holds as much as MAX_ADDRESS_SHARE allows; rejecting more from it'),
  })
}

function closeOnSignals(app: FastifyInstance, { shutdownDelay }: Config) {
  const delay = shutdownDelay + HARD_DEADLINE_MS
  const options: Options = { delay, logger: app.log, skip: ['beforeExit', 'SIGUSR2', ...ignoredHangup] }
  closeWithGrace(options, async ({ signal, err }) => {
    isEnding = true
    if (err) app.log.fatal({ err }, 'unexpected error')
    else await leaveBalancers(app, String(signal), shutdownDelay)
    await app.close()
  })
}

/** Leaves a quarter of the descriptors for files and outgoing connections. Only Linux shows the limit. */
function descriptorLimit(): number {
  /* c8 ignore next 2 -- depends on the system */
  const text = existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, 'latin1') : ''
  const [, descriptors = Number.POSITIVE_INFINITY] = /^Max open files +(\d+)/m.exec(text) ?? []
  return Math.floor(0.75 * Number(descriptors))
}

/** Gives load balancers time to notice that /readyz fails. */
async function leaveBalancers(app: FastifyInstance, signal: string, delay: number) {
  app.log.info({ signal }, 'shutting down')
  shutdown.abort()
  if (delay > 0) await sleep(delay)
}

/** The database driver is loaded only if a database is configured. */
async function openOrders({ database, ordersFile = sampleOrders() }: Config): Promise<OrderStore> {
  if (!database) {
    const orders = await loadOrders(ordersFile, progressLine(process.stderr, ordersFile))
    const count = await countOf(orders)
    early.write(count > 0 ? 'info' : 'warn', `${count} orders in ${ordersFile}`)
    return orders
  }
  const { openPostgresStore } = await import('./store/postgres/open.ts')
  return openPostgresStore(database, early.write)
}

function sampleOrders(): string {
  return fileURLToPath(import.meta.resolve('#sample-orders'))
}

function adviceFor(error: unknown): string {
  const { syscall, code, message } = error as NodeJS.ErrnoException
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL')
    return `${message}. HOST and METRICS_HOST must be addresses of this machine.`
  return syscall === 'listen' ? `${message}. Choose another host or port; port 0 takes any free one.` : message
}

function say(message: string) {
  print(`store-orders: ${message}\n`)
}

/** Like standard output, standard error may be full, closed, or a terminal that nobody reads. */
function print(text: string) {
  try {
    writeSync(stderr, text)
  } catch {}
}
