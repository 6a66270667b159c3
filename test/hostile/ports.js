// The domains' ports with one live domain, whose certificate is given: no authority is needed. With an orders file, the
// API is served there as well.
import { readFileSync } from 'node:fs'
import process, { env } from 'node:process'

const dist = new URL('../../dist/', import.meta.url).href
const { buildApps } = await import(`${dist}app.js`)
const { handshake } = await import(`${dist}packages/custom-domains/src/ports/handshake.js`)
const { openPorts } = await import(`${dist}packages/custom-domains/src/ports/listeners.js`)
const { emptySnapshot } = await import(`${dist}packages/custom-domains/src/state/snapshot.js`)

const { loadOrders } = await import(`${dist}store/memory/load.js`)
const { keySet, mergeKeys } = await import(`${dist}config/keys/key-set.js`)

const { HOST_NAME: host = '', KEY = '', CERTIFICATE = '', ORDERS_FILE, API_KEY: key = '' } = env
const snapshot = { ...emptySnapshot, domains: new Map([[host, { state: 'live', name: { host } }]]) }
const certificate = readFileSync(KEY, 'utf8') + readFileSync(CERTIFICATE, 'utf8')
const report = (/** @type {unknown} */ _domain, /** @type {string} */ reason) => console.error(reason)
const SNICallback = handshake({
  snapshot: () => snapshot,
  load: async () => certificate,
  onBroken: report,
  onError: report,
})
const { app } = await buildApps({
  orders: ORDERS_FILE ? await loadOrders(ORDERS_FILE) : {},
  keys: keySet(mergeKeys({ values: key ? [{ name: 'hostile', key }] : [], variable: 'API_KEY' })),
  maxEventLoopDelay: 0,
})
await app.ready()
const ports = await openPorts(
  {
    serve: app.routing,
    refuse: (/** @type {Error} */ _error, /** @type {import('node:stream').Duplex} */ socket) => socket.destroy(),
    onRefused() {},
  },
  { host: '127.0.0.1', ports: { http: 0, https: 0 } },
)
ports.serve({
  routing: () => ({ snapshot, platformHosts: [], challenges: new Map(), isCurrent: true }),
  SNICallback,
})
console.log(`port ${ports.address.ports.https}`)
process.once('SIGTERM', () => ports.close().then(() => app.close()))
