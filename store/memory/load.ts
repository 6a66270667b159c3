// Loads an orders file into a memory store: .json (an array) or .ndjson (an order a line), or a .gz of either.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { OrderStore } from '../order-store.ts'
import { indexOf, memoryOrderStore } from './memory-store.ts'
import { type MemoryPage, memoryPage, PAGE_SIZE } from './page.ts'
import { type OrderRecord, parseRecord } from './record.ts'
import { SplitError, splitArray, splitLines } from './split.ts'

/**
 * Called now and then while a large file is read: the part of it that is done, from 0 to 1, and the orders so far.
 * The last call is marked, and made whether the loading succeeds or fails.
 */
export type Progress = (part: number, orders: number, isLast: boolean) => void

interface Mistake {
  line: number
  message: string
}

const SHOWN_MISTAKES = 20
const ORDERS_PER_PROGRESS = 50_000

/**
 * Loads all orders of a file, or none.
 * @throws with a message that says what to do; for mistakes in the file, the first twenty with their lines
 */
export async function loadOrders(file: string, progress?: Progress): Promise<OrderStore> {
  const split = /\.ndjson(\.gz)?$/.test(file) ? splitLines : /\.json(\.gz)?$/.test(file) ? splitArray : undefined
  if (!split) throw new Error(`${file}: an orders file ends in .json or .ndjson, or in .json.gz or .ndjson.gz`)

  const pages: MemoryPage[] = []
  const lines: number[] = []
  const mistakes: Mistake[] = []
  let records: OrderRecord[] = []
  let part = 0
  const turnPage = () => {
    if (records.length > 0) pages.push(memoryPage(records))
    records = []
  }

  try {
    const { size } = await stat(file)
    const input = createReadStream(file)
    const source = file.endsWith('.gz') ? pipeline(input, createGunzip(), () => {}) : input
    await split(source, (text, line) => {
      const parsed = parseRecord(text)
      if ('mistakes' in parsed) {
        mistakes.push(...parsed.mistakes.map((message) => ({ line, message })))
        return
      }
      records.push(parsed.record)
      lines.push(line)
      if (records.length === PAGE_SIZE) turnPage()
      part = input.bytesRead / size
      if (lines.length % ORDERS_PER_PROGRESS === 0) progress?.(part, lines.length, false)
    })
  } catch (error) {
    if (!(error instanceof SplitError)) throw new Error(`${file}: ${reasonOf(error)}`, { cause: error })
    mistakes.push(error)
  } finally {
    if (lines.length >= ORDERS_PER_PROGRESS) progress?.(part, lines.length, true)
  }
  turnPage()

  const index = indexOf(pages)
  for (const { id, earlier, later } of index.duplicates) {
    mistakes.push({ line: lines[later] as number, message: `id ${id} stands in line ${lines[earlier]} already` })
  }
  if (mistakes.length > 0) throw new Error(summary(file, mistakes))
  return memoryOrderStore(pages, index)
}

function summary(file: string, mistakes: Mistake[]): string {
  const shown = mistakes.sort((a, b) => a.line - b.line).slice(0, SHOWN_MISTAKES)
  const more = mistakes.length - shown.length
  return [
    `${file}: nothing was loaded, correct ${mistakes.length === 1 ? 'this mistake' : `these ${mistakes.length} mistakes`}:`,
    ...shown.map(({ line, message }) => `  line ${line}: ${message}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'the file may not be read, check its permissions',
  EISDIR: 'this is a directory, name a file',
  Z_BUF_ERROR: 'the gzip file is cut short, copy it again',
  Z_DATA_ERROR: 'this is not a sound gzip file, copy it again or drop the .gz',
  'Invalid string length': 'too large for one JSON array, use .ndjson with an order a line',
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return reasons[code ?? message] ?? message
}
