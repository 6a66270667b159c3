// Imports an orders file through COPY: all of its orders, or none. Readers see them from the commit on.
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { type Progress, readOrders } from '../file/read.ts'
import type { OrderRecord } from '../file/record.ts'
import { recordErrors } from '../file/record-errors.ts'
import { type Admin, asAdmin } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { importedIds } from './imported-ids.ts'
import { schemaRefusal, schemaVersion } from './schema.ts'

export interface ImportOptions {
  file: string
  /** The orders of the file replace all existing ones. */
  replace?: boolean | undefined
  progress?: Progress | undefined
}

const copy = 'COPY store_orders.orders (id, pet_id, quantity, ship_date, complete, status) FROM STDIN'

/** Pages begin where those of a memory store of the same file do. The sequence only moves forward: safe to retry. */
const alignPages = `SELECT setval('store_orders.orders_position_seq',
  CASE WHEN is_called THEN ((last_value >> 10) + 1) << 10 ELSE last_value END, false)
  FROM store_orders.orders_position_seq WHERE NOT EXISTS (SELECT FROM store_orders.orders)`

/**
 * @returns how many orders were imported
 * @throws with a message that says what to do; for errors in the file, the first twenty with their lines
 */
export async function importOrders(connection: ConnectionOptions, options: ImportOptions): Promise<number> {
  return asAdmin(connection, async (admin) => {
    const refusal = schemaRefusal(await schemaVersion(admin))
    if (refusal) throw new Error(refusal)
    await admin.client.query('BEGIN')
    if (options.replace) await admin.client.query('DELETE FROM store_orders.orders')
    await admin.client.query(alignPages)
    const count = await copyFile(admin, options)
    await admin.client.query('COMMIT')
    await admin.client.query('ANALYZE store_orders.orders')
    return count
  })
}

/** After the first error, the rest of the file is read only to find the others. */
async function copyFile({ client }: Admin, { file, progress }: ImportOptions): Promise<number> {
  const errors = recordErrors()
  const ids = importedIds()
  const stream = client.query(from(copy))
  let failure: unknown
  const over = finished(stream).catch((error) => {
    failure = error
  })
  for await (const { records, lines } of readOrders(file, errors, progress)) {
    records.forEach(({ id }, index) => {
      ids.add(id, lines[index] as number)
    })
    if (errors.count > 0 || failure) continue
    const written = new Promise((resolve) => stream.write(records.map(lineOf).join(''), resolve))
    await Promise.race([written, over])
  }
  ids.duplicates().forEach(({ id, earlier, later }) => {
    errors.add(later, `id ${id} is already on line ${earlier}`)
  })
  if (errors.count === 0) {
    stream.end()
    await over
    const taken = takenId(failure)
    if (taken !== undefined) errors.add(ids.lineOf(taken), `id ${taken} is in the database already`)
  }
  if (errors.count > 0) {
    stream.destroy(new Error('errors in the file'))
    await over
    throw new Error(errors.summary(file))
  }
  if (failure) throw new Error(`${file}: nothing was imported: ${reasonOf(failure)}`, { cause: failure })
  return ids.count
}

function lineOf({ id, petId, quantity, shipDate, complete, status }: OrderRecord): string {
  const date = shipDate === undefined ? undefined : dateOf(shipDate)
  return `${[id, petId, quantity, date, complete, status].map((value) => value ?? '\\N').join('\t')}\n`
}

/** PostgreSQL writes the year 0 as 1 BC. */
function dateOf(ms: number): string {
  const text = new Date(ms).toISOString()
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text
}

/** The id that is already in the database. */
function takenId(failure: unknown): bigint | undefined {
  const isTaken = failure instanceof pg.DatabaseError && failure.code === '23505'
  const id = isTaken ? /\(id\)=\((-?\d+)\)/.exec(failure.detail ?? '')?.[1] : undefined
  return id === undefined ? undefined : BigInt(id)
}

function reasonOf(failure: unknown): string {
  const isFull = failure instanceof pg.DatabaseError && failure.code === '53100'
  const { message } = failure as Error
  return isFull ? `the database has no space left (${message})` : message
}
