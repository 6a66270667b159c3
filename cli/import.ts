// Imports an orders file into the database.
import { loadDatabase } from '../config/environment.ts'
import { importOrders } from '../store/postgres/import.ts'
import type { Terminal } from './terminal.ts'

export async function importCommand(
  file: string,
  { replace = false }: { replace?: boolean },
  { stdout, env }: Terminal,
): Promise<void> {
  const count = await importOrders(loadDatabase(env), { file, replace })
  stdout.write(`Imported ${count.toLocaleString('en')} orders.\n`)
}
