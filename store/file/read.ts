// Reads an orders file as a stream: .json (an array) or .ndjson (one order per line), or a .gz of either.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type OrderRecord, parseRecord } from './record.ts'
import type { RecordErrors } from './record-errors.ts'
import { arraySplitter, lineSplitter, type Piece, SplitError } from './split.ts'

/**
 * Called now and then while a large file is read: the part of it that has been read, from 0 to 1, and the orders so far.
 * The last call is marked; it comes after a failure as well.
 */
export type Progress = (part: number, orders: number, isLast: boolean) => void

/** Orders, and the line on which each begins. */
export interface Batch {
  records: OrderRecord[]
  lines: number[]
}

const CHUNK_SIZE = 256 * 1024
const ORDERS_PER_PROGRESS = 50_000

/**
 * Yields the orders of a file in batches of about a thousand, in file order. It skips invalid orders and adds their
 * errors, so the result counts only if there are none.
 * @throws if the file cannot be read to its end, with a message that says what to do
 */
export async function* readOrders(file: string, errors: RecordErrors, progress?: Progress): AsyncGenerator<Batch> {
  const [, kind, gz] = /\.(ndjson|json)(\.gz)?$/.exec(file) ?? []
  if (!kind) throw new Error(`${file}: an orders file ends in .json or .ndjson, or in .json.gz or .ndjson.gz`)
  const splitter = kind === 'json' ? arraySplitter() : lineSplitter()
  let orders = 0
  let part = 0
  let isBroken = false

  function batchOf(pieces: Iterable<Piece>): Batch {
    const batch: Batch = { records: [], lines: [] }
    try {
      for (const { text, line } of pieces) {
        const record = parseRecord(text, (message) => errors.add(line, message))
        if (!record) continue
        batch.records.push(record)
        batch.lines.push(line)
        orders++
        if (orders % ORDERS_PER_PROGRESS === 0) progress?.(part, orders, false)
      }
    } catch (error) {
      if (!(error instanceof SplitError)) throw error
      errors.add(error.line, error.message)
      isBroken = true
    }
    return batch
  }

  try {
    const { size } = await stat(file)
    const input = createReadStream(file, { highWaterMark: CHUNK_SIZE })
    const output = gz ? pipeline(input, createGunzip({ chunkSize: CHUNK_SIZE }), () => {}) : input
    output.setEncoding('utf8')
    let isBlank = true
    for await (const chunk of output) {
      part = input.bytesRead / size
      isBlank &&= chunk.trim() === ''
      yield batchOf(splitter.write(chunk))
      if (isBroken) return
    }
    if (isBlank) throw new Error('the file is empty: for no orders, write [] in a .json file')
    yield batchOf(splitter.end())
  } catch (error) {
    throw new Error(`${file}: ${reasonOf(error)}`, { cause: error })
  } finally {
    if (orders >= ORDERS_PER_PROGRESS) progress?.(part, orders, true)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'no permission to read the file',
  EISDIR: 'this is a directory, name a file',
  Z_BUF_ERROR: 'the gzip file is cut short, copy it again',
  Z_DATA_ERROR: 'this is not a sound gzip file, copy it again or drop the .gz',
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return reasons[String(code)] ?? message
}
