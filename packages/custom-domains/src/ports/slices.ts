// Bounds the bytes that HTTP/2 has in flight: given to a socket that has not taken them yet. Node.js copies and encrypts
// all that the windows of a session's streams allow, up to 2 GiB each, even if the client reads nothing.
import type { ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'

/** What one session may write, divided among its streams. */
const SESSION_BYTES = 1024 * 1024
/** What a stream may write at least: the payload of one frame. */
const FRAME_BYTES = 16 * 1024
/** What all sessions may hold. Node.js needs two to three times as much. */
const PROCESS_BYTES = 64 * 1024 * 1024

/**
 * Makes a stream write in slices, each when the socket has taken the one before.
 * @param streams how many the session has
 */
export function writeInSlices(stream: ServerHttp2Stream, streams: () => number): void {
  const { write, _writev } = stream
  const slice = () => Math.max(FRAME_BYTES, Math.floor(SESSION_BYTES / streams()))
  // A stream with `_writev` writes all that it has buffered as one.
  Object.defineProperty(stream, '_writev', { get: () => (stream.writableLength > slice() ? null : _writev) })
  stream.write = (chunk: Buffer | string, ...rest: unknown[]) => {
    if (chunk.length <= FRAME_BYTES) return Reflect.apply(write, stream, [chunk, ...rest])
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as string, rest[0] as BufferEncoding)
    const size = slice()
    let from = 0
    for (; bytes.length - from > size; from += size) Reflect.apply(write, stream, [bytes.subarray(from, from + size)])
    return Reflect.apply(write, stream, [bytes.subarray(from), ...rest])
  }
}

/** A write of a session that its socket has not taken yet. */
interface Flight {
  socket: Pick<TLSSocket, 'destroy'>
  bytes: number
}

/** The oldest first. */
const flights = new Set<Flight>()
let inFlight = 0

/**
 * Call it with each write of a session. Where all together have too much in flight, the connection is closed that has kept
 * the average or more for the longest time.
 * @returns call it when the socket has taken the bytes, or is closed
 */
export function fly(socket: Flight['socket'], bytes: number): () => void {
  const flight = { socket, bytes }
  flights.add(flight)
  inFlight += bytes
  if (inFlight > PROCESS_BYTES) closeOldest()
  return () => land(flight)
}

function closeOldest() {
  const average = inFlight / flights.size
  const oldest = [...flights].find(({ bytes }) => bytes >= average) as Flight
  land(oldest)
  oldest.socket.destroy()
}

function land(flight: Flight) {
  if (flights.delete(flight)) inFlight -= flight.bytes
}
