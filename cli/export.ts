// Exports the orders of the database as an orders file.
import { loadDatabase } from '../config/environment.ts'
import { exportOrders } from '../store/postgres/export.ts'
import type { Terminal } from './terminal.ts'

export async function exportCommand(file: string, { stdout, env }: Terminal): Promise<void> {
  const count = await exportOrders(loadDatabase(env), file)
  stdout.write(`Exported ${count.toLocaleString('en')} orders.\n`)
}
