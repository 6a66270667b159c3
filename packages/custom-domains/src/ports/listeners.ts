// Ports 80 and 443 of the domains: dispatches requests by routing.ts.
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  METHODS,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { attach, type ConnectionLimits, closeServer, hasBody, receiveBody, serverOptions } from 'http-edge'
import { hostHeaders } from 'http-edge/protocols'
import { emptySnapshot } from '../state/snapshot.ts'
import { ciphers, secureOptions } from './handshake.ts'
import { protocols, serveHttp2 } from './http2.ts'
import { type Decision, decide, type RoutingTable } from './routing.ts'

export interface Address {
  /** '' for all addresses. */
  host: string
  ports: { http: number; https: number }
}

/** What the ports serve. */
export interface Served {
  routing(): RoutingTable
  /** Picks the certificate of a TLS handshake. */
  SNICallback: NonNullable<TlsOptions['SNICallback']>
}

export interface PortOptions {
  /** Responds to a request that the domains serve. */
  serve: RequestListener
  /** Responds to a request that Node's parser rejects. */
  refuse(error: Error, socket: Duplex): void
  /** Called for each response of the ports themselves, once it is sent. */
  onRefused(request: IncomingMessage, status: number): void
  /** Shared with the application's other servers. */
  connectionLimits?: ConnectionLimits | undefined
  /** The max-age of Strict-Transport-Security (RFC 6797); 0 for none. */
  hstsSeconds?: number
  /** The body of a response for a host that is not live. */
  unservedText?: string | undefined
  /** How long pending requests may take once the ports close. */
  graceMs?: number
}

export interface OpenPorts {
  /** The ports that were opened: for port 0, any free one. */
  address: Address
  /** Serves this from now on; until then, every request gets 503. */
  serve(served: Served): void
  close(): Promise<void>
}

const nothing: Served = {
  routing: () => ({ snapshot: emptySnapshot, platformHosts: [], challenges: new Map(), isCurrent: false }),
  SNICallback: (_name, done) => done(null),
}

export async function openPorts(options: PortOptions, { host, ports }: Address): Promise<OpenPorts> {
  const {
    serve,
    refuse,
    onRefused,
    connectionLimits,
    hstsSeconds = 0,
    unservedText = errorTexts[421],
    graceMs = 5_000,
  } = options
  let served = nothing

  function answer(request: IncomingMessage, response: ServerResponse) {
    const { servername } = request.socket as TLSSocket & { servername?: string | false | null }
    const isSecure = 'encrypted' in request.socket
    if (isSecure && hstsSeconds > 0) response.setHeader('strict-transport-security', `max-age=${hstsSeconds}`)
    const target = {
      hosts: hostHeaders(request),
      url: request.url as string,
      isSecure,
      serverName: servername || undefined,
    }
    const isKnown = METHODS.includes(request.method as string)
    const decision: Decision = isKnown ? decide(target, served.routing()) : { kind: 'error', status: 501 }
    if (decision.kind !== 'serve') {
      if (hasBody(request)) receiveBody(request, response)
      reply(decision, response, unservedText)
      onRefused(request, response.statusCode)
      return
    }
    if (decision.canonical) linkIfFound(response, decision.canonical)
    serve(request, response)
  }

  const attached = { connectionLimits }
  const common = { ...serverOptions, requireHostHeader: false } // decide() checks it
  const http = attach(createServer(common), answer, attached)
  const SNICallback: Served['SNICallback'] = (name, done) => served.SNICallback(name, done)
  const tls = { handshakeTimeout: serverOptions.headersTimeout, ciphers, secureOptions, SNICallback }
  const https = attach(createSecureServer({ ...common, ...protocols, ...tls }), answer, attached)
  const http2 = serveHttp2(https, answer)
  for (const server of [http, https]) server.on('clientError', refuse)

  async function closeAll() {
    const open = [http, https].filter(({ listening }) => listening)
    const ended = open.map((server) => once(server, 'close'))
    await Promise.all(open.map((server) => closeServer(server, graceMs)))
    http2.end()
    await Promise.all(ended)
  }

  try {
    const opened = { http: await open(http, host, ports.http), https: await open(https, host, ports.https) }
    return {
      address: { host, ports: opened },
      serve(next) {
        served = next
      },
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** An application may read it, and add links. A page that is not found, or redirects, has no canonical copy. */
function linkIfFound(response: ServerResponse, canonical: string) {
  const { writeHead } = response
  const link = `<${canonical}>; rel="canonical"`
  response.setHeader('link', link)
  response.writeHead = (...head: unknown[]) => {
    if (head[0] !== 200) unlink(response, link)
    return Reflect.apply(writeHead, response, head)
  }
}

/** Leaves the links of the application, which may have been written behind this one. */
function unlink(response: ServerResponse, link: string) {
  const links = [response.getHeader('link') ?? []].flat().join(', ').split(', ')
  const others = links.filter((one) => one !== link).join(', ')
  if (others === '') response.removeHeader('link')
  else response.setHeader('link', others)
}

function reply(decision: Exclude<Decision, { kind: 'serve' }>, response: ServerResponse, unservedText: string) {
  const { status, headers, text } = responseFor(decision, unservedText)
  const length = { 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, { ...headers, ...length, 'x-content-type-options': 'nosniff' }).end(text)
}

const RETRY_AFTER_S = '2'
const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
const errorTexts = {
  400: 'The request must name exactly one host.\n',
  404: 'Nothing is served at this path.\n',
  503: 'This domain cannot be served at the moment. Try again later.\n',
  421: 'Nothing is served at this domain.\n',
  501: 'The server does not know this method.\n',
}

function responseFor(decision: Exclude<Decision, { kind: 'serve' }>, unservedText: string) {
  if (decision.kind === 'challenge') return { status: 200, headers: plain, text: decision.keyAuthorization }
  if (decision.kind === 'error') {
    const headers = decision.status === 503 ? { ...plain, 'retry-after': RETRY_AFTER_S } : plain
    return {
      status: decision.status,
      headers,
      text: decision.status === 421 ? unservedText : errorTexts[decision.status],
    }
  }
  const { status, location } = decision
  return { status, headers: { ...plain, location }, text: '' }
}

async function open(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen(port, host), 'listening')
  return (server.address() as AddressInfo).port
}
