// Generates files of orders, identical on every machine, and caches them in the system's temporary folder.
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Includes the version of the data, so that a change to it creates new files. */
const folder = join(tmpdir(), 'store-orders-bench-1')
const FIRST_ID = 1_000_000_000_000_000
const ID_STEP = 1009
const FIRST_DATE = Date.UTC(2026, 11, 4, 9)
const MINUTE = 60_000

/** @returns {string} the folder, which exists */
export function dataFolder() {
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * The id of the order at a position. Below 2^53, because most peers round larger ids. Nearly sorted, like ids that
 * several machines assign. wrk.lua uses the same formula.
 * @param {number} position
 */
export const idAt = (position) => FIRST_ID + (position ^ 3) * ID_STEP

/** The order at a position: pending, and about 106 bytes with its comma. @param {number} position */
function orderAt(position) {
  return {
    id: idAt(position),
    petId: 10_000 + ((position * 7919) % 90_000),
    quantity: 1 + ((position * 31) % 12),
    shipDate: new Date(FIRST_DATE + ((position * 104_729) % 500_000) * MINUTE).toISOString(),
    complete: false,
  }
}

/** @param {number} count @returns {Promise<string>} the file, with one order per line */
export async function ordersFile(count) {
  const file = join(dataFolder(), `${count}.ndjson`)
  if (existsSync(file)) return file
  await pipeline(lines(count), createWriteStream(`${file}.part`))
  renameSync(`${file}.part`, file)
  return file
}

function* lines(count) {
  for (let start = 0; start < count; start += 1000) {
    const positions = Array.from({ length: Math.min(1000, count - start) }, (_, index) => start + index)
    yield positions.map((position) => `${JSON.stringify(orderAt(position))}\n`).join('')
  }
}
