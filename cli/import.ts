// Imports an orders file into the database.
import { loadDatabase } from '../config/environment.ts'
import { progressLine } from '../store/file/progress.ts'
import { importOrders } from '../store/postgres/import.ts'
import type { Terminal } from './terminal.ts'

export async function importCommand(
  file: string,
  { replace = false }: { replace?: boolean },
  { stdout, stderr, env }: Terminal,
): Promise<void> {
  const progress = progressLine(stderr, file)
  const count = await importOrders(loadDatabase(env), { file, replace, progress })
  stdout.write(`Imported ${count.toLocaleString('en')} orders.\n`)
}
