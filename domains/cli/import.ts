// store-orders domains import: copies the domains of DATA_DIR and DOMAINS_FILE to the database.

import { exportFiles } from 'custom-domains/files'
import type { SecretKind } from 'custom-domains/storage'
import { loadImport } from '../../config/environment.ts'
import { importIntoDatabase } from '../postgres/import.ts'
import { counted, type Output } from './commands.ts'

/** Prints what was copied. @throws with a line on why nothing was */
export async function importDomains(env: NodeJS.ProcessEnv, { say }: Pick<Output, 'say'>): Promise<void> {
  const options = loadImport(env)
  const { records, secrets, accountsLeft } = await exportFiles(options, (exported) =>
    importIntoDatabase(options, exported),
  )
  const domains = records.filter(({ kind, value }) => kind === 'domain' && !(value as { isPlatform?: true }).isPlatform)
  const secretsOf = (kind: SecretKind) => secrets.filter((secret) => secret.kind === kind).length
  const all = [
    counted(domains.length, 'domain'),
    counted(secretsOf('certificate'), 'certificate'),
    ...(secretsOf('order') > 0 ? [counted(secretsOf('order'), 'pending order')] : []),
    counted(secretsOf('account'), 'account key'),
  ]
  const left = `Left in the folder: ${counted(accountsLeft, 'account key')} of authorities that neither the variables nor a certificate name.`
  say([`Imported ${all.join(', ')}.`, ...(accountsLeft > 0 ? [left] : [])])
}
