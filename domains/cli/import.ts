// store-orders domains import: copies the domains of DATA_DIR and DOMAINS_FILE to the database.
import { loadImport } from '../../config/environment.ts'
import { importFromFiles } from '../import-from-files.ts'

/** Prints what was copied. @returns the exit code */
export async function importDomains(env: NodeJS.ProcessEnv, say: (lines: string[]) => void): Promise<number> {
  const { domains, secrets, accountsLeft } = await importFromFiles(loadImport(env))
  const all = [
    counted(domains, 'domain'),
    counted(secrets.certificate, 'certificate'),
    ...(secrets.order > 0 ? [counted(secrets.order, 'pending order')] : []),
    counted(secrets.account, 'account key'),
  ]
  const left = `Left in the folder: ${counted(accountsLeft, 'account key')} of authorities that neither the variables nor a certificate name.`
  say([`Imported ${all.join(', ')}.`, ...(accountsLeft > 0 ? [left] : [])])
  return 0
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
