// Plays a script over a new connection and collects every received byte.
import { connect } from 'node:net'
import type { Received, Script } from './types.ts'

const HOST = '127.0.0.1'
/** After this long without a byte in either direction, the connection counts as left open. */
const SILENCE_MS = 20_000

export async function play({ pieces, end, silenceMs = SILENCE_MS }: Script, port: number): Promise<Received> {
  const socket = connect({ port, host: HOST, noDelay: true, allowHalfOpen: true })
  const chunks: Buffer[] = []
  let ended: Received['ended'] = 'closed'
  let isOver = false
  const closed = new Promise((resolve) => {
    socket.once('close', () => {
      isOver = true
      resolve(undefined)
    })
  })
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('end', () => {
    isOver = true
    socket.end()
  })
  socket.on('error', () => {
    ended = 'reset'
  })
  socket.setTimeout(silenceMs, () => {
    ended = 'deadline'
    socket.destroy()
  })

  for (const [index, piece] of pieces.entries()) {
    if (isOver) break
    if (typeof piece === 'function') await Promise.race([piece(), closed])
    else if (index === pieces.length - 1)
      socket.write(piece) // FIN goes with the last piece
    else await Promise.race([written(socket, piece), closed])
  }
  if (!isOver && end === 'fin') socket.end()
  if (!isOver && end === 'reset') await Promise.race([sent(socket), closed]).then(() => socket.resetAndDestroy())
  await closed
  return { bytes: Buffer.concat(chunks), ended }
}

/** Waiting for an iteration of the event loop sends the piece separately. */
function written(socket: import('node:net').Socket, piece: Buffer) {
  return new Promise((resolve) => {
    socket.write(piece, () => setImmediate(resolve))
  })
}

function sent(socket: import('node:net').Socket) {
  return socket.writableLength === 0 && !socket.connecting ? Promise.resolve() : written(socket, Buffer.alloc(0))
}

/** Plays scripts concurrently. @param width how many at a time */
export async function sideBySide<T>(items: Iterable<T>, width: number, use: (item: T) => Promise<void>) {
  const iterator = items[Symbol.iterator]()
  async function lane() {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await use(next.value)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
