// Reads an orders file as a stream: .json (an array) or .ndjson (one order per line), or a .gz of either.
import { readBytes } from './bytes.ts'
import { type Cursor, LINE_FEED } from './cursor.ts'
import type { Mistakes } from './mistakes.ts'
import { type OrderRecord, readRecord } from './record.ts'
import { splitArray } from './split-array.ts'
import { splitLines } from './split-lines.ts'

/**
 * Called now and then while a large file is read: the part of it that is done, from 0 to 1, and the orders so far.
 * The last call is marked, and made whether the reading succeeds or fails.
 */
export type Progress = (part: number, orders: number, isLast: boolean) => void

/** Orders, and the line on which each begins. */
export interface Batch {
  records: OrderRecord[]
  lines: number[]
}

const ORDERS_PER_PROGRESS = 50_000

/**
 * The orders of a file in batches of a few hundred, in file order. Invalid ones are omitted and their errors added, so
 * the result counts only when there are no errors.
 * @throws when the file cannot be read to its end, with a message that says what to do
 */
export async function* readOrders(file: string, mistakes: Mistakes, progress?: Progress): AsyncGenerator<Batch> {
  const split = /\.ndjson(\.gz)?$/.test(file) ? splitLines : /\.json(\.gz)?$/.test(file) ? splitArray : undefined
  if (!split) throw new Error(`${file}: an orders file ends in .json or .ndjson, or in .json.gz or .ndjson.gz`)

  const cursor: Cursor = { bytes: Buffer.alloc(0), at: 0, end: 0 }
  let recordStart = 0
  let recordLine = 0
  const addMistake = (message: string, offset = recordStart) => {
    mistakes.add(recordLine + linesIn(cursor.bytes, recordStart, offset), message)
  }
  let batch: Batch = { records: [], lines: [] }
  let orders = 0
  let part = 0
  const splitter = split((bytes, start, end, line) => {
    cursor.bytes = bytes
    cursor.at = start
    cursor.end = end
    recordStart = start
    recordLine = line
    const record = readRecord(cursor, addMistake)
    if (!record) return
    batch.records.push(record)
    batch.lines.push(line)
    orders++
    if (orders % ORDERS_PER_PROGRESS === 0) progress?.(part, orders, false)
  }, mistakes.add)
  const takeBatch = () => {
    const taken = batch
    batch = { records: [], lines: [] }
    return taken
  }

  try {
    let goesOn = true
    for await (const chunk of readBytes(file)) {
      part = chunk.part
      goesOn = splitter.write(chunk.bytes)
      if (batch.records.length > 0) yield takeBatch()
      if (!goesOn) break
    }
    if (goesOn) splitter.end()
    if (batch.records.length > 0) yield takeBatch()
  } catch (error) {
    throw new Error(`${file}: ${reasonOf(error)}`, { cause: error })
  } finally {
    if (orders >= ORDERS_PER_PROGRESS) progress?.(part, orders, true)
  }
}

function linesIn(bytes: Buffer, start: number, end: number): number {
  let lines = 0
  for (let at = start; at < end; at++) if (bytes[at] === LINE_FEED) lines++
  return lines
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'the file may not be read, check its permissions',
  EISDIR: 'this is a directory, name a file',
  Z_BUF_ERROR: 'the gzip file is cut short, copy it again',
  Z_DATA_ERROR: 'this is not a sound gzip file, copy it again or drop the .gz',
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return reasons[String(code)] ?? message
}
