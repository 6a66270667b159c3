// HTTP/2 (RFC 9113) beside HTTP/1.1 on the HTTPS port: the client chooses in the handshake (ALPN, RFC 7301).
// Timeouts are those of HTTP/1.1. Node ends sessions with a flood of resets or settings by itself.
import type { RequestListener } from 'node:http'
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Stream,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Server } from 'node:https'
import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from 'http-edge/protocols'
import { asHttp1 } from './as-http1.ts'
import { type TrackWrite, writeInSlices, writeTracker } from './slices.ts'

/** An option of `createServer` of node:https that prefers HTTP/2. */
export const protocols = { ALPNProtocols: ['h2', 'http/1.1'] }

/** Node resets streams beyond these limits. */
const http2Options = {
  // More bytes than allowed, so that the protocol check of http-edge can respond with 431.
  settings: { maxConcurrentStreams: 100, maxHeaderListSize: 4 * MAX_HEADER_BYTES },
  maxHeaderListPairs: MAX_HEADER_FIELDS,
} satisfies SecureServerOptions

/** After the last frame, a client may take this long to close the connection. */
const LINGER_MS = 2_000

export interface Http2 {
  /** Call when the server closes: sessions end with their last response. */
  end(): void
}

/**
 * Takes the connections of HTTP/2 from a server that `attach` has prepared. Node's own server for both protocols, with
 * `allowHTTP1`, hangs in `close()` before version 24.
 */
export function serveHttp2(server: Server, listener: RequestListener): Http2 {
  const sessions = new Set<ServerHttp2Session>()
  const sockets = new WeakMap<Http2Stream, TLSSocket>()
  const trackWrite = writeTracker()
  let isEnding = false

  const http2 = createServer(http2Options, serve)
  http2.on('checkExpectation', serve) // else Node responds by itself
  http2.on('checkContinue', serve)
  http2.on('connect', (_request, response) => response.writeHead(400).end())

  const http1 = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') {
      void socket.remoteAddress // Node caches it, so that it outlives the connection
      http2.once('session', (session) => watch(session, socket)).emit('connection', streamOf(socket, trackWrite))
    } else for (const accept of http1) Reflect.apply(accept, server, [socket])
  })

  /** A session without requests is closed, whatever else arrives. */
  function watch(session: ServerHttp2Session, socket: TLSSocket) {
    sessions.add(session)
    const streams = new Set<ServerHttp2Stream>()
    let timer = setTimeout(end, server.headersTimeout)
    function end() {
      session.close()
      timer = setTimeout(() => socket.destroy(), LINGER_MS)
    }
    // As with HTTP/1.1, a response that the server itself has not written yet may take any time.
    session.setTimeout(server.timeout)
    session.on('timeout', () => {
      const isBusy = streams.size > 0 && [socket, ...streams].every(({ writableLength }) => writableLength === 0)
      if (isBusy) session.setTimeout(server.timeout)
      else socket.destroy()
    })
    session.prependListener('stream', (stream) => {
      sockets.set(stream, socket)
      writeInSlices(stream, () => streams.size)
      streams.add(stream)
      clearTimeout(timer)
      stream.once('close', () => {
        streams.delete(stream)
        if (streams.size === 0 && !socket.destroyed) timer = setTimeout(end, server.keepAliveTimeout)
      })
    })
    socket.once('close', () => {
      clearTimeout(timer)
      sessions.delete(session)
    })
    if (isEnding) session.close()
  }

  function serve(request: Http2ServerRequest, response: Http2ServerResponse) {
    // Reset in the same read: Node emits all requests of a read before it enforces its limit on resets.
    if (request.stream.closed) return
    const socket = sockets.get(request.stream) as TLSSocket
    const http1 = asHttp1({ request, response, socket }, server.requestTimeout)
    listener(http1.request, http1.response)
  }

  return {
    end() {
      isEnding = true
      for (const session of sessions) session.close()
    },
  }
}

/**
 * A socket whose writes pass through JavaScript. Before version 26, Node.js reports a failed write of a session that owns
 * the handle of a TLS socket as complete. The next write never ends, and until it does the session reads nothing: it would
 * not notice that its client is gone.
 */
function streamOf(socket: TLSSocket, trackWrite: TrackWrite): Duplex {
  let untrack = trackWrite(socket, 0)
  const stream = new Duplex({
    read: () => void socket.resume(),
    writev(chunks, done) {
      untrack()
      untrack = trackWrite(
        socket,
        chunks.reduce((bytes, { chunk }) => bytes + chunk.length, 0),
      )
      socket.cork()
      for (const { chunk } of chunks.slice(0, -1)) socket.write(chunk)
      socket.write(chunks.at(-1)?.chunk, (error) => {
        untrack()
        done(error)
      })
      socket.uncork()
    },
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk) => stream.push(chunk) || socket.pause())
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => {
    untrack()
    stream.destroy()
  })
  return stream
}
