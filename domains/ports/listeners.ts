// The ports 80 and 443 of the domains: certificates by name, and each request where routing sends it.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext, TLSSocket } from 'node:tls'
import { secureContextOf } from '../certificates/certificate.ts'
import { type Decision, decide, isLive, normalise, type Sites } from './routing.ts'

export interface ListenerOptions {
  sites(): Sites
  /** Answers a request for the documentation. */
  serve: RequestListener
  /** Answers what Node's parser refuses. */
  refuse(error: Error, socket: Duplex): void
  /** How long answers under way may take once the ports close. */
  graceMs?: number
}

export interface Listeners {
  /** Takes the certificate of a host into use. */
  useCertificate(host: string, pem: string): void
  /** @returns the ports that were taken */
  listen(host: string, ports: { http: number; https: number }): Promise<{ http: number; https: number }>
  close(): Promise<void>
}

/** Times are milliseconds. */
const limits = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 72_000, maxHeaderSize: 16_384 }

export function domainListeners({ sites, serve, refuse, graceMs = 5_000 }: ListenerOptions): Listeners {
  const contexts = new Map<string, SecureContext>()

  function answer(request: IncomingMessage, response: ServerResponse) {
    const { servername } = request.socket as TLSSocket
    const decision = decide(
      {
        hosts: hostsOf(request),
        url: request.url as string,
        serverName: 'encrypted' in request.socket ? String(servername) : undefined,
      },
      sites(),
    )
    if (decision.kind !== 'serve') return reply(decision, response)
    if (decision.canonical) response.setHeader('link', `<${decision.canonical}>; rel="canonical"`)
    serve(request, response)
  }

  const http = createServer({ ...limits, requireHostHeader: false }, answer)
  const https = createSecureServer(
    {
      ...limits,
      requireHostHeader: false,
      handshakeTimeout: limits.headersTimeout,
      // No certificate is the default one: an unknown name gets an alert.
      SNICallback(name, done) {
        const host = normalise(name)
        done(null, host !== undefined && isLive(host, sites().domains) ? contexts.get(host) : undefined)
      },
    },
    answer,
  )

  for (const server of [http, https]) server.on('clientError', refuse)
  const shutters = [http, https].map((server) => shutter(server, graceMs))

  return {
    useCertificate: (host, pem) => {
      contexts.set(host, secureContextOf(pem))
    },
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
const refusals = {
  400: 'The request must name exactly one host.\n',
  404: 'Nothing is served at this path.\n',
  421: 'Nothing is served at this domain. Its owner finds out why under Project settings, Domains.\n',
}

function answerOf(decision: Exclude<Decision, { kind: 'serve' }>) {
  if (decision.kind === 'challenge') return { status: 200, headers: plain, text: decision.keyAuthorization }
  if (decision.kind === 'refuse') {
    return { status: decision.status, headers: plain, text: refusals[decision.status] }
  }
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
