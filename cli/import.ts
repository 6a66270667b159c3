// Imports an orders file into the database.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadDatabase } from '../config/environment.ts'
import { progressLine } from '../store/file/progress.ts'
import { importOrders } from '../store/postgres/import.ts'
import { onlyArguments, type Terminal } from './terminal.ts'

export async function importCommand(args: string[], { stdout, stderr, env }: Terminal = process): Promise<void> {
  const options = { replace: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [file = ''] = onlyArguments(positionals, ['FILE'])
  const progress = progressLine(stderr, file)
  const count = await importOrders(loadDatabase(env), { file, replace: values.replace, progress })
  stdout.write(`Imported ${count.toLocaleString('en')} orders.\n`)
}
