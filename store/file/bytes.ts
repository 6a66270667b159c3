// The bytes of a file, unzipped if its name ends in .gz, in chunks.
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

export interface Chunk {
  /** Valid until the next chunk is requested: they share a buffer. */
  bytes: Buffer
  /** How much of the file has been read, from 0 to 1. */
  part: number
}

const CHUNK_SIZE = 256 * 1024

export function readBytes(file: string): AsyncGenerator<Chunk> {
  return file.endsWith('.gz') ? unzipped(file) : plain(file)
}

async function* plain(file: string): AsyncGenerator<Chunk> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.allocUnsafeSlow(CHUNK_SIZE)
    let position = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_SIZE)
      if (bytesRead === 0) return
      position += bytesRead
      yield { bytes: buffer.subarray(0, bytesRead), part: position / size }
    }
  } finally {
    await handle.close()
  }
}

async function* unzipped(file: string): AsyncGenerator<Chunk> {
  const { size } = await stat(file)
  const input = createReadStream(file)
  for await (const bytes of pipeline(input, createGunzip(), () => {})) yield { bytes, part: input.bytesRead / size }
}
