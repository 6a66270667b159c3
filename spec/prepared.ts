// What a build prepares for the startup: the parsed documents and the compiled schema of OpenAPI. Each result is stored
// under the hash of its source, with a checksum, so a changed source or a damaged file has none.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'

const folder = new URL('../dist/prepared/', import.meta.resolve('#spec/openapi.yaml'))

const CHECKSUM_BYTES = 32
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

const fileOf = (source: string) => new URL(sha256(source).toString('hex'), folder)

/** @returns undefined if the caller has to compute it */
export function prepared(source: string): unknown {
  try {
    const stored = readFileSync(fileOf(source))
    const data = stored.subarray(CHECKSUM_BYTES)
    return stored.subarray(0, CHECKSUM_BYTES).equals(sha256(data)) ? deserialize(data) : undefined
  } catch {
    return undefined // not built, unreadable, or written by a Node.js with a newer format
  }
}

/** Called by a build. */
export function prepare(source: string, result: unknown): void {
  const data = serialize(result)
  const file = fileOf(source)
  mkdirSync(new URL('./', file), { recursive: true })
  writeFileSync(file, Buffer.concat([sha256(data), data]))
}
