// Bounds the bytes that HTTP/2 has pending: given to a socket that has not taken them yet. Node.js copies and encrypts
// all that the windows of a session's streams allow, up to 2 GiB each, even if the client reads nothing.
import type { ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'

/** What one session may write, divided among its streams. */
const SESSION_BYTES = 1024 * 1024
/** What a stream may write at least: the payload of one frame. */
const FRAME_BYTES = 16 * 1024
/** What all sessions of a server may hold. Node.js needs two to three times as much. */
const SERVER_BYTES = 64 * 1024 * 1024

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
interface PendingWrite {
  socket: Pick<TLSSocket, 'destroy'>
  bytes: number
}

export type TrackWrite = ReturnType<typeof writeTracker>

/**
 * The function that it returns is called with each write of a session. Where those of all sessions together have too much
 * pending, the connection is closed that has kept the average or more for the longest time.
 */
export function writeTracker() {
  /** The oldest first. */
  const pending = new Set<PendingWrite>()
  let pendingBytes = 0

  function closeOldest() {
    const average = pendingBytes / pending.size
    const oldest = [...pending].find(({ bytes }) => bytes >= average) as PendingWrite
    done(oldest)
    oldest.socket.destroy()
  }

  function done(write: PendingWrite) {
    if (pending.delete(write)) pendingBytes -= write.bytes
  }

  /** @returns call it when the socket has taken the bytes, or is closed */
  return (socket: PendingWrite['socket'], bytes: number): (() => void) => {
    const write = { socket, bytes }
    pending.add(write)
    pendingBytes += bytes
    if (pendingBytes > SERVER_BYTES) closeOldest()
    return () => done(write)
  }
}
