// store-orders domains import: copies the domains of DATA_DIR and DOMAINS_FILE to the database.
import { loadImport } from '../../config/environment.ts'
import { importFromFiles } from '../import-from-files.ts'
import type { Output } from './commands.ts'

/** Prints what was copied. */
export async function importDomains(env: NodeJS.ProcessEnv, { say }: Pick<Output, 'say'>): Promise<void> {
  const { domains, secrets, accountsLeft } = await importFromFiles(loadImport(env))
  const all = [
    counted(domains, 'domain'),
    counted(secrets.certificate, 'certificate'),
    ...(secrets.order > 0 ? [counted(secrets.order, 'pending order')] : []),
    counted(secrets.account, 'account key'),
  ]
  const left = `Left in the folder: ${counted(accountsLeft, 'account key')} of authorities that neither the variables nor a certificate name.`
  say([`Imported ${all.join(', ')}.`, ...(accountsLeft > 0 ? [left] : [])])
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
