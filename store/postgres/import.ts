// Imports an orders file through COPY: all of its orders, or none. Readers see them from the commit on.
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { idIndex } from '../file/id-index.ts'
import type { Progress } from '../file/progress.ts'
import { readOrders } from '../file/read.ts'
import type { OrderRecord } from '../file/record.ts'
import { recordErrors } from '../file/record-errors.ts'
import { type Admin, asAdmin, OWNER_ONLY } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { reasonOf } from './faults.ts'
import { checkSchema } from './schema.ts'

interface ImportOptions {
  file: string
  /** The orders of the file replace all existing ones. */
  replace?: boolean | undefined
  progress?: Progress | undefined
}

const copy = 'COPY store_orders.orders (id, pet_id, quantity, ship_date, complete, status) FROM STDIN'

/** What COPY takes, too: a missing privilege is reported before the file is read. */
const lock = 'LOCK TABLE store_orders.orders IN ROW EXCLUSIVE MODE'

/**
 * @returns how many orders were imported
 * @throws with a message that says what to do; for errors in the file, the first twenty with their lines
 */
export async function importOrders(connection: ConnectionOptions, options: ImportOptions): Promise<number> {
  const importAll = async (admin: Admin) => {
    await checkSchema(admin)
    await admin.client.query(lock)
    if (options.replace) await admin.client.query('DELETE FROM store_orders.orders')
    const count = await copyFile(admin, options)
    await admin.client.query('ANALYZE store_orders.orders')
    return count
  }
  return asAdmin(connection, importAll, { advice: OWNER_ONLY })
}

async function copyFile({ client }: Admin, { file, progress }: ImportOptions): Promise<number> {
  const errors = recordErrors(file)
  const ids = idIndex()
  const lines: number[] = []
  const stream = client.query(from(copy))
  let failure: unknown
  const ended = finished(stream).catch((error) => {
    failure = error
  })
  for await (const records of readOrders(file, { errors, ids, lines, progress })) {
    const text = records.map(lineOf).join('')
    // Between two turns, the event loop reads: a write to a session that has ended would fail before its reason is known.
    for (let turns = 0; turns < 2; turns++) await nextTurn()
    /* c8 ignore next -- the database may report a failure only after the last order */
    if (failure) continue // the rest of the file may have errors, which are shown together
    const written = new Promise((resolve) => stream.write(text, resolve))
    await Promise.race([written, ended])
  }
  if (errors.count === 0) {
    stream.end()
    await ended
    const dropped = lines.length - stream.rowCount
    if (!failure && dropped > 0)
      failure = new Error(
        `the database drops ${dropped} of ${lines.length} orders: see the triggers and rules of store_orders.orders`,
      )
    const taken = takenId(failure)
    const position = taken === undefined ? undefined : ids.find(taken)
    if (position !== undefined) errors.add(lines[position] as number, `id ${taken} is already in the database`)
  }
  stream.destroy(new Error('errors in the file'))
  await ended
  errors.check()
  if (failure) throw new Error(`${file}: nothing was imported: ${reasonOf(failure)}`, { cause: failure })
  return lines.length
}

function lineOf({ id, petId, quantity, shipDate, complete, status }: OrderRecord): string {
  const date = shipDate === undefined ? undefined : dateOf(shipDate)
  return `${[id, petId, quantity, date, complete, status].map((value) => value ?? '\\N').join('\t')}\n`
}

/** PostgreSQL writes the year 0 as 1 BC. */
function dateOf(text: string): string {
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text
}

/** The id that is already in the database, if that is why the import failed. */
function takenId(failure: unknown): bigint | undefined {
  const isTaken = failure instanceof pg.DatabaseError && failure.code === '23505'
  const id = isTaken ? /\(id\)=\((-?\d+)\)/.exec(failure.detail ?? '')?.[1] : undefined
  return id === undefined ? undefined : BigInt(id)
}
