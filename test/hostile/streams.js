// HTTP/2 clients that stall, reset streams and disappear, against the domains' ports.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import {
  END_HEADERS,
  END_STREAM,
  frame,
  HEADERS,
  preface,
  RST_STREAM,
  settings,
  uint32,
  WINDOW_UPDATE,
} from '../fixtures/frames.js'
import { certificateOf } from './certificate.js'
import { mib } from './checks.js'
import { startServer } from './server.js'

const HOST = 'docs.shop.test'
const CLIENTS = 20
const STREAMS_EACH = 100
const RECOVERY_MS = 15_000
/** The allocator keeps some memory; a client that is not released costs 15 MiB. */
const MEMORY_SLACK = 192 * 1024 * 1024
const INITIAL_WINDOW_SIZE = 4
const WINDOW = 0x7fffffff

/**
 * Connections and memory return to what they were within 15 seconds.
 * @param {import('./report.js').Report} report @param {string} logs the path of the server's logs, without their extensions
 * @param {string} folder for the certificate
 */
export async function attackStreams(report, logs, folder) {
  const server = await startServer({
    program: fileURLToPath(new URL('ports.js', import.meta.url)),
    logs,
    env: certificateOf(HOST, folder),
    ready: /port (\d+)/,
  })
  const attackOnce = () => Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(server.port, number)))
  const idle = server.descriptors()
  await attackOnce() // so that everything is loaded and cached
  await recovery(server, idle, Number.POSITIVE_INFINITY)
  const before = await server.memory()
  const started = Date.now()
  await attackOnce()
  const { sockets, bytes, ms } = await recovery(server, idle, before)
  const streams = CLIENTS * STREAMS_EACH
  console.log(
    `HTTP/2: ${streams} streams in ${Date.now() - started} ms, ${mib(bytes)} and ${sockets} sockets after ${ms} ms`,
  )
  if (sockets > 0) report.general('HTTP/2 streams', [`${sockets} sockets of clients that are gone stay open`])
  if (bytes > before + MEMORY_SLACK)
    report.general('HTTP/2 streams', [`memory is ${mib(bytes)}, before ${mib(before)}`])
  const code = await server.stop()
  if (code !== 0) report.general('HTTP/2 streams', [`SIGTERM ended the server with ${code}`])
}

/** @param {import('./server.js').Server} server @param {number} idle descriptors @param {number} before bytes */
async function recovery(server, idle, before) {
  const started = Date.now()
  for (;;) {
    const ms = Date.now() - started
    const [sockets, bytes] = [server.descriptors() - idle, await server.memory()]
    if ((sockets <= 0 && bytes <= before + MEMORY_SLACK) || ms > RECOVERY_MS) return { sockets, bytes, ms }
  }
}

/**
 * Sends requests with a closed window, so that all responses begin; then opens it, reads nothing, and resets.
 * @param {number} port @param {number} number
 */
async function client(port, number) {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: HOST,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  const ids = Array.from({ length: STREAMS_EACH }, (_, index) => 2 * index + 1)
  const requests = ids.map((id) => frame(HEADERS, END_STREAM | END_HEADERS, id, requestFields()))
  socket.write(Buffer.concat([preface({ [INITIAL_WINDOW_SIZE]: 0 }), ...requests]))
  await sleep(500 + 50 * number)
  const resets = number % 2 ? ids.filter((id) => id % 3 === 0).map((id) => frame(RST_STREAM, 0, id, uint32(8))) : []
  const windows = [settings({ [INITIAL_WINDOW_SIZE]: WINDOW }), frame(WINDOW_UPDATE, 0, 0, uint32(WINDOW - 65_535))]
  socket.write(Buffer.concat([...windows, ...resets]))
  await sleep(1000)
  socket.destroy() // resets the connection, because bytes are unread
}

/** GET /docs in HPACK, without Huffman coding (RFC 7541, appendix A). */
function requestFields() {
  const [get, https, path, authority] = [0x82, 0x87, 0x04, 0x01]
  const text = (/** @type {string} */ value) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
  return Buffer.concat([Buffer.from([get, https, path]), text('/docs'), Buffer.from([authority]), text(HOST)])
}
