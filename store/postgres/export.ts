// Exports all orders, as of one moment, as an orders file: what `import` and ORDERS_FILE read.
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Admin, asAdmin } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { checkSchema } from './schema.ts'

/** Orders of one statement. */
const BATCH = 8192

/** A line each, with the status, in the order of placement. */
const batch = `
  SELECT pg_catalog.string_agg(pg_catalog.concat(pg_catalog.rtrim(json, '}'), ',"status":"', status, '"}', pg_catalog.chr(10)), ''
    ORDER BY position) AS lines, pg_catalog.count(*)::integer AS count, pg_catalog.max(position) AS last
  FROM (SELECT json, status, position FROM ONLY store_orders.orders WHERE position > $1 ORDER BY position LIMIT ${BATCH}) o`

interface Batch {
  lines: string | null
  count: number
  last: string
}

/**
 * Writes the file at once, when all orders are in it.
 * @returns how many orders were exported
 * @throws with a message that says what to do
 */
export async function exportOrders(connection: ConnectionOptions, file: string): Promise<number> {
  if (!/\.ndjson(\.gz)?$/.test(file)) throw new Error(`${file} must end in .ndjson or .ndjson.gz`)
  const options = {
    isolation: 'REPEATABLE READ',
    advice: 'Run this as a role that can read the orders',
  } as const
  return asAdmin(connection, (admin) => writeAll(admin, file), options)
}

async function writeAll(admin: Admin, file: string): Promise<number> {
  await checkSchema(admin)
  const partial = `${file}.partial`
  let count = 0
  async function* lines() {
    for (let last = '-1', size = BATCH; size === BATCH; ) {
      const [row] = (await admin.query<Batch>({ text: batch }, [last])) as [Batch]
      size = row.count
      count += size
      if (row.lines) yield row.lines
      last = row.last
    }
  }
  const output = await open(partial, 'w').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be written (${error.code})`)
  })
  try {
    const target = output.createWriteStream({ flush: true })
    if (file.endsWith('.gz')) await pipeline(Readable.from(lines()), createGzip(), target)
    else await pipeline(Readable.from(lines()), target)
    if (count === 0) throw new Error(`there are no orders to export; ${file} was not written`)
    await rename(partial, file)
    return count
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
