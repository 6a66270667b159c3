// Reads an orders file as a stream: .json (an array) or .ndjson (one order per line), or a .gz of either.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { IdIndex } from './id-index.ts'
import type { Progress } from './progress.ts'
import { type OrderRecord, parseRecord } from './record.ts'
import type { RecordErrors } from './record-errors.ts'
import { arraySplitter, lineSplitter, type SourceRecord, SplitError } from './split.ts'

interface ReadOptions {
  errors: RecordErrors
  /** Gets the id of each order, and `lines` the line on which it begins. */
  ids: IdIndex
  lines?: number[]
  progress?: Progress | undefined
}

const CHUNK_SIZE = 256 * 1024
const ORDERS_PER_PROGRESS = 50_000

/**
 * Yields the orders of a file in batches of about a thousand, in file order. After the first error, it yields nothing
 * more, and reads the rest only for its errors.
 * @throws if the file cannot be read to its end, with a message that says what to do
 */
export async function* readOrders(file: string, options: ReadOptions): AsyncGenerator<OrderRecord[]> {
  const { errors, ids, lines = [], progress } = options
  const [, kind, gz] = /\.(ndjson|json)(\.gz)?$/.exec(file) ?? []
  if (!kind) throw new Error(`${file}: an orders file ends in .json or .ndjson, or in .json.gz or .ndjson.gz`)
  const splitter = kind === 'json' ? arraySplitter() : lineSplitter()
  let part = 0
  let isBroken = false

  function parse({ text, line }: SourceRecord): OrderRecord | undefined {
    const record = parseRecord(text, (message) => errors.add(line, message))
    if (!record) return undefined
    const earlier = ids.add(record.id)
    if (earlier === undefined) lines.push(line)
    else errors.add(line, `id ${record.id} is already on line ${lines[earlier]}`)
    if (lines.length % ORDERS_PER_PROGRESS === 0) progress?.(part, lines.length, false)
    return record
  }

  function batchOf(split: () => Iterable<SourceRecord>): OrderRecord[] {
    const batch: OrderRecord[] = []
    try {
      for (const source of split()) {
        const record = parse(source)
        if (record) batch.push(record)
      }
    } catch (error) {
      if (!(error instanceof SplitError)) throw error
      errors.add(error.line, error.message)
      isBroken = true
    }
    return errors.count > 0 ? [] : batch
  }

  try {
    const { size } = await stat(file)
    const input = createReadStream(file, { highWaterMark: CHUNK_SIZE })
    const gunzip = gz && createGunzip({ chunkSize: CHUNK_SIZE })
    const output = gunzip ? pipeline(input, gunzip, () => {}) : input
    output.setEncoding('utf8')
    let isBlank = true
    for await (const chunk of output) {
      part = input.bytesRead / size
      isBlank &&= chunk.trim() === ''
      yield batchOf(() => splitter.write(chunk))
      if (isBroken) return
    }
    if (gunzip && gunzip.bytesWritten < size) await checkPadding(file, gunzip.bytesWritten)
    if (isBlank) throw new Error('the file is empty: for no orders, write [] in a .json file')
    yield batchOf(splitter.end)
  } catch (error) {
    throw new Error(`${file}: ${failureOf(error)}`, { cause: error })
  } finally {
    if (lines.length >= ORDERS_PER_PROGRESS) progress?.(part, lines.length, true)
  }
}

/** A zero byte ends a gzip file for Node.js. @throws if there is more than zeros */
async function checkPadding(file: string, start: number): Promise<void> {
  for await (const chunk of createReadStream(file, { start }) as AsyncIterable<Buffer>) {
    if (chunk.some((byte) => byte !== 0)) throw new Error('the gzip file continues after zero bytes; remove them')
  }
}

const failures: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'no permission to read the file',
  EISDIR: 'this is a directory; name a file',
  Z_BUF_ERROR: 'the gzip file is cut short; copy it again',
  Z_DATA_ERROR: 'this is not a valid gzip file; copy it again or drop the .gz',
}

function failureOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return failures[String(code)] ?? message
}
