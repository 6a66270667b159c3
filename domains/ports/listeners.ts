// Ports 80 and 443 of the domains: each request goes where routing says.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { type Decision, decide, type RoutingTable } from './routing.ts'

export interface ListenerOptions {
  routing(): RoutingTable
  /** Picks the certificate of a TLS handshake. */
  SNICallback: NonNullable<TlsOptions['SNICallback']>
  /** Answers a request for the documentation. */
  serve: RequestListener
  /** Answers a request that Node's parser rejects. */
  refuse(error: Error, socket: Duplex): void
  /** How long pending requests may take once the ports close. */
  graceMs?: number
}

export interface Listeners {
  /** @returns the ports that were opened: for port 0, any free one */
  listen(host: string, ports: { http: number; https: number }): Promise<{ http: number; https: number }>
  close(): Promise<void>
}

/** Times are milliseconds. */
const limits = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 72_000, maxHeaderSize: 16_384 }

export function domainListeners(options: ListenerOptions): Listeners {
  const { routing, SNICallback, serve, refuse, graceMs = 5_000 } = options

  function answer(request: IncomingMessage, response: ServerResponse) {
    const { servername } = request.socket as TLSSocket
    const decision = decide(
      {
        hosts: hostsOf(request),
        url: request.url as string,
        serverName: 'encrypted' in request.socket ? String(servername) : undefined,
      },
      routing(),
    )
    if (decision.kind !== 'serve') return reply(decision, response)
    if (decision.canonical) response.setHeader('link', `<${decision.canonical}>; rel="canonical"`)
    serve(request, response)
  }

  const httpOptions = { ...limits, requireHostHeader: false }
  const http = createServer(httpOptions, answer)
  const https = createSecureServer({ ...httpOptions, handshakeTimeout: limits.headersTimeout, SNICallback }, answer)

  for (const server of [http, https]) server.on('clientError', refuse)
  const shutters = [http, https].map((server) => shutter(server, graceMs))

  return {
    async listen(host, ports) {
      return { http: await open(http, host, ports.http), https: await open(https, host, ports.https) }
    },
    close: async () => {
      await Promise.all(shutters.map((shut) => shut()))
    },
  }
}

function reply(decision: Exclude<Decision, { kind: 'serve' }>, response: ServerResponse) {
  const { status, headers, text } = answerOf(decision)
  const length = { 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, { ...headers, ...length, 'x-content-type-options': 'nosniff' }).end(text)
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
const errorTexts = {
  400: 'The request must name exactly one host.\n',
  404: 'Nothing is served at this path.\n',
  421: 'Nothing is served at this domain. Its owner can see why in Project settings, Domains.\n',
}

function answerOf(decision: Exclude<Decision, { kind: 'serve' }>) {
  if (decision.kind === 'challenge') return { status: 200, headers: plain, text: decision.keyAuthorization }
  if (decision.kind === 'error') return { status: decision.status, headers: plain, text: errorTexts[decision.status] }
  const { status, location } = decision
  return { status, headers: { ...plain, location }, text: '' }
}

function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')
}

async function open(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return (server.address() as AddressInfo).port
}

/** Closes a server: answers under way are finished. */
function shutter(server: Server, graceMs: number): () => Promise<void> {
  const sockets = new Set<Socket>() // the server itself does not know those that are in the midst of a TLS handshake
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return async () => {
    if (!server.listening) return
    // close() waits for connections that fall idle after it was called, too.
    const reaper = setInterval(() => server.closeIdleConnections(), 50)
    const end = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, graceMs)
    await new Promise<unknown>((resolve) => server.close(resolve))
    clearInterval(reaper)
    clearTimeout(end)
  }
}
