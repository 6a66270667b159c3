// The process: configuration, store, app, port, and an orderly end.

import process from 'node:process'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { digestOf, loadKeys, makeKey } from './keys.ts'
import { loadDocument, withServers } from './spec/document.ts'
import { loadOrders } from './store/memory/load.ts'
import { keyNotice, loggerOptions, progressLine } from './terminal.ts'

/** After a signal, requests in flight get this long before the process ends all the same. */
const HARD_DEADLINE_MS = 10_000

async function serve(config: Config) {
  const { host, port, apiKeys, apiKeysFile, ordersFile = sampleOrders(), servers, logLevel } = config
  const configured = await loadKeys(apiKeys, apiKeysFile)
  const runKey = configured.size === 0 ? makeKey() : undefined
  if (runKey && config.isProduction) {
    throw new Error('NODE_ENV is production and there is no API key: set API_KEYS or API_KEYS_FILE')
  }
  const app = await buildApp({
    orders: await loadOrders(ordersFile, progressLine(process.stderr, ordersFile)),
    keys: runKey ? new Map([[digestOf(runKey), 'this-run']]) : configured,
    document: withServers(loadDocument(), servers),
    logger: loggerOptions(logLevel, process.stdout.isTTY),
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
  })
  closeWithGrace({ delay: HARD_DEADLINE_MS, logger: app.log, skip: ['beforeExit'] }, async ({ signal, err }) => {
    if (err) app.log.fatal({ err }, 'unexpected error')
    else app.log.info({ signal }, 'shutting down')
    await app.close()
  })
  const origin = await app.listen({
    host,
    port,
    listenTextResolver: (address) => `API at ${address}/v1, docs at ${address}/docs`,
  })
  if (runKey) process.stderr.write(keyNotice(runKey, origin))
}

function sampleOrders(): string {
  return fileURLToPath(import.meta.resolve('store-orders/sample.ndjson'))
}

function reasonOf(error: unknown): string {
  const { syscall, message } = error as NodeJS.ErrnoException
  return syscall ? `${message}. Choose another HOST or PORT; PORT=0 takes any free port.` : message
}

try {
  await serve(loadConfig())
} catch (error) {
  process.stderr.write(`store-orders: ${reasonOf(error)}\n`)
  process.exitCode = 1
}
