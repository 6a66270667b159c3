// The file DOMAINS_FILE: the primary domain and the redirects.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseConfiguration } from 'custom-domains/files'
import { PRIMARY } from './site.ts'

interface Folder {
  dataDir: string
  configurationFile?: string | undefined
}

/** @throws with a line for each error; a file that does not exist has none */
export async function checkConfigurationFile({
  dataDir,
  configurationFile = join(dataDir, 'domains.json'),
}: Folder): Promise<void> {
  return checkFile(configurationFile, parseSite)
}

function parseSite(text: string, where: string): void {
  const { roles, redirects } = parseConfiguration(text, where)
  const primary = roles.get(PRIMARY)
  if (primary !== undefined && redirects.has(primary))
    throw new Error(`${where}: domains.redirects has ${primary}, which is the primary domain itself`)
}

export async function checkFile(file: string, parse: (text: string, where: string) => unknown): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) parse(text, file)
}
