// HTTP/2 clients that stall, reset streams and disappear, against the domains' ports.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import * as frames from 'test-kit/frames'
import { certificateOf } from './certificate.js'
import { mib } from './checks.ts'
import { makeOrders } from './orders.ts'
import type { Report } from './report.ts'
import { type Server, startServer } from './server.ts'

const { END_HEADERS, END_STREAM, frame, HEADERS, preface, RST_STREAM, settings, uint32, WINDOW_UPDATE } = frames
const HOST = 'docs.shop.test'
const KEY = 'streams-secret-of-32-characters'
const ORDERS = 50_000
const CLIENTS = 30
const STREAMS_EACH = 80
const CONNECTION_ATTEMPTS = 10
const RECOVERY_MS = 15_000
/** The allocator keeps some memory. Without a bound, the lists take 1.2 GiB. */
const MEMORY_SLACK = 192 * 1024 * 1024
const INITIAL_WINDOW_SIZE = 4
const WINDOW = 0x7fffffff

/**
 * Memory stays within bounds, and returns to what it was, as do the connections.
 * @param options `logs` is the
 * path of the server's logs, without their extensions; `folder` is for its files
 */
export async function attackStreams(
  report: Report,
  { logs, folder, seed }: { logs: string; folder: string; seed: number },
) {
  const ORDERS_FILE = `${folder}/orders-of-streams.ndjson`
  writeFileSync(ORDERS_FILE, makeOrders(seed, ORDERS).text)
  const server = await startServer({
    program: fileURLToPath(new URL('ports.js', import.meta.url)),
    logs,
    env: { ...certificateOf(HOST, folder), ORDERS_FILE, API_KEY: KEY },
    ready: /port (\d+)/,
  })
  const idle = server.descriptors()
  const attackOnce = (path: string) =>
    Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(server.port, number, path)))
  await attackOnce('/docs') // so that everything is loaded and cached
  await recovery(server, idle, Number.POSITIVE_INFINITY)
  for (const path of ['/docs', '/v1/store/orders']) {
    const before = await server.memory()
    const started = Date.now()
    const most = await mostMemory(server, attackOnce(path))
    const ended = Date.now()
    const { sockets, bytes, ms } = await recovery(server, idle, before)
    console.log(
      `HTTP/2: ${CLIENTS * STREAMS_EACH} streams of ${path} in ${ended - started} ms, from ${mib(before)} to ${mib(most)}, ${mib(bytes)} and ${sockets} sockets after ${ms} ms`,
    )
    const problems = [
      ...(most > before + MEMORY_SLACK ? [`memory is ${mib(most)}, before ${mib(before)}`] : []),
      ...(sockets > 0 ? [`${sockets} sockets of clients that are gone stay open`] : []),
      ...(bytes > before + MEMORY_SLACK ? [`memory stays at ${mib(bytes)}, before ${mib(before)}`] : []),
    ]
    if (problems.length > 0) report.general(`HTTP/2 streams of ${path}`, problems)
  }
  const code = await server.stop()
  if (code !== 0) report.general('HTTP/2 streams', [`SIGTERM ended the server with ${code}`])
}

async function mostMemory(server: Server, attack: Promise<unknown>) {
  let isOver = false
  const over = attack.then(() => {
    isOver = true
  })
  let most = 0
  while (!isOver) most = Math.max(most, await server.memory())
  await over
  return most
}

/** @param idle descriptors @param before bytes */
async function recovery(server: Server, idle: number, before: number) {
  const started = Date.now()
  for (;;) {
    const ms = Date.now() - started
    const [sockets, bytes] = [server.descriptors() - idle, await server.memory()]
    if ((sockets <= 0 && bytes <= before + MEMORY_SLACK) || ms > RECOVERY_MS) return { sockets, bytes, ms }
  }
}

/** A port ends handshakes beyond its limits: the client then connects again. */
async function connected(port: number): Promise<TLSSocket> {
  const options = { port, host: '127.0.0.1', servername: HOST, rejectUnauthorized: false, ALPNProtocols: ['h2'] }
  for (let attempt = 1; ; attempt++) {
    const socket = connect(options)
    socket.on('error', () => {})
    const failure = await once(socket, 'secureConnect').then(
      () => undefined,
      (error: Error) => error,
    )
    if (!failure) return socket
    if (attempt === CONNECTION_ATTEMPTS) throw failure
  }
}

/** Sends requests with a closed window, so that all responses begin; then opens it, reads nothing, and resets. */
async function client(port: number, number: number, path: string) {
  const socket = await connected(port)
  const ids = Array.from({ length: STREAMS_EACH }, (_, index) => 2 * index + 1)
  const requests = ids.map((id) => frame(HEADERS, END_STREAM | END_HEADERS, id, requestFields(path)))
  socket.write(Buffer.concat([preface({ [INITIAL_WINDOW_SIZE]: 0 }), ...requests]))
  await sleep(500 + 50 * number)
  const resets = number % 2 ? ids.filter((id) => id % 3 === 0).map((id) => frame(RST_STREAM, 0, id, uint32(8))) : []
  const windows = [settings({ [INITIAL_WINDOW_SIZE]: WINDOW }), frame(WINDOW_UPDATE, 0, 0, uint32(WINDOW - 65_535))]
  socket.write(Buffer.concat([...windows, ...resets]))
  await sleep(1000)
  socket.destroy() // resets the connection, because bytes are unread
}

/** GET in HPACK, without Huffman coding (RFC 7541, appendix A). */
function requestFields(target: string) {
  const [get, https, path, authority, authorization] = [[0x82], [0x87], [0x04], [0x01], [0x0f, 0x08]]
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
  const fields = [path, text(target), authority, text(HOST), authorization, text(`Bearer ${KEY}`)]
  return Buffer.concat([get, https, ...fields].map((part) => Buffer.from(part)))
}
