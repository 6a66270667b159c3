// Plays a script over a new connection and collects every received byte.
import { connect, type Socket } from 'node:net'
import type { Received, Script } from './types.ts'

const HOST = '127.0.0.1'
/** After this long without a byte in either direction, the connection counts as left open. */
const SILENCE_MS = 20_000

export async function play({ pieces, end, silenceMs = SILENCE_MS }: Script, port: number): Promise<Received> {
  const socket = connect({ port, host: HOST, noDelay: true, allowHalfOpen: true })
  const chunks: Buffer[] = []
  let ended: Received['ended'] = 'closed'
  const closed = new Promise((resolve) => {
    socket.once('close', resolve)
  })
  const isOver = () => socket.readableEnded || socket.destroyed
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('end', () => socket.end())
  socket.on('error', () => {
    ended = 'reset'
  })
  socket.setTimeout(silenceMs, () => {
    ended = 'deadline'
    socket.destroy()
  })

  for (const [index, piece] of pieces.entries()) {
    if (isOver()) break
    if (typeof piece === 'function') await Promise.race([piece(), closed])
    else if (index === pieces.length - 1)
      socket.write(piece) // FIN goes with the last piece
    else await Promise.race([written(socket, piece), closed])
  }
  if (end === 'fin' && !isOver()) socket.end()
  if (end === 'reset' && !isOver()) {
    if (socket.connecting || socket.writableLength > 0) await Promise.race([written(socket, Buffer.alloc(0)), closed])
    socket.resetAndDestroy()
  }
  await closed
  return { bytes: Buffer.concat(chunks), ended }
}

/** Waiting for an iteration of the event loop sends the piece separately. */
function written(socket: Socket, piece: Buffer) {
  return new Promise((resolve) => {
    socket.write(piece, () => setImmediate(resolve))
  })
}
