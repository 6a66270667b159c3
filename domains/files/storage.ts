// The storage in files below one folder, which one process locks at a time.
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatConfiguration, parseConfiguration } from '../state/configuration.ts'
import type { DomainStorage, StoredState } from '../state/storage.ts'
import { lockFolder } from './lock.ts'
import { removeParts, replaceFile } from './replace.ts'

export interface FileStorageOptions {
  folder: string
  /** Default: `domains.json` in the folder. */
  configurationFile?: string | undefined
}

/** @throws with a line that names the other process, when one holds the lock */
export async function fileStorage({ folder, configurationFile }: FileStorageOptions): Promise<DomainStorage> {
  const certificates = join(folder, 'certificates')
  const accounts = join(folder, 'accounts')
  const configuration = configurationFile ?? join(folder, 'domains.json')
  const state = join(folder, 'state.json')
  for (const path of [certificates, accounts]) await mkdir(path, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder)
  for (const path of [folder, certificates, accounts]) await removeParts(path)

  const certificateFile = (host: string) => join(certificates, `${host}.pem`)
  const accountFile = (directoryUrl: string) =>
    join(accounts, `${createHash('sha256').update(directoryUrl).digest('hex').slice(0, 32)}.pem`)

  return {
    async loadState() {
      const text = await read(state)
      return text === undefined ? { domains: [] } : parseState(text, state)
    },
    saveState: (next) => replaceFile(state, `${JSON.stringify(next, null, 2)}\n`),
    async loadConfiguration() {
      const text = await read(configuration)
      return text === undefined ? { primary: undefined, redirects: new Map() } : parseConfiguration(text, configuration)
    },
    saveConfiguration: (next) => replaceFile(configuration, formatConfiguration(next)),
    loadCertificate: (host) => read(certificateFile(host)),
    saveCertificate: (host, pem) => replaceFile(certificateFile(host), pem),
    loadAccountKey: (directoryUrl) => read(accountFile(directoryUrl)),
    saveAccountKey: (directoryUrl, pem) => replaceFile(accountFile(directoryUrl), pem),
    close: release,
  }
}

function parseState(text: string, file: string): StoredState {
  try {
    const state = JSON.parse(text)
    if (Array.isArray(state.domains)) return state
    throw new Error('it has no array of domains')
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
