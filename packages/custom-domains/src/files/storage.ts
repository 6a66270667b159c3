// The storage in files below one folder, which one process locks at a time.
import { createHash } from 'node:crypto'
import { link, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { formatConfiguration, parseConfiguration } from '../state/configuration.ts'
import type { StoredState } from '../state/snapshot.ts'
import type { DomainStorage, SecretKind } from '../state/storage.ts'
import { BrokenStateError, brokenState, parseState } from '../state/stored-state.ts'
import { type Lock, lockFolder, lockNumbers, unless } from './lock.ts'
import { namedError, removeParts, replaceFile } from './replace.ts'

export interface FileStorageOptions {
  /** The file of the primary domain and the redirects. Default: `domains.json` in the folder. */
  configurationFile?: string | undefined
  /** Replaced by tests. */
  takeLock?: (folder: string) => Promise<Lock>
}

/** The errors of a disk that can be read: the domains are served from it, and nothing is saved. */
const unwritable = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'])

/**
 * @param folder belongs to this process until the storage is closed
 * @throws with a line that names the other process, when one holds the lock
 */
export async function fileStorage(
  folder: string,
  { configurationFile, takeLock = lockFolder }: FileStorageOptions = {},
): Promise<Required<Omit<DomainStorage, 'shared'>>> {
  const configuration = configurationFile ?? join(folder, 'domains.json')
  const state = join(folder, 'state.json')
  const formerState = `${state}.former`
  const folders = ['', 'certificates', 'orders', 'accounts'].map((name) => join(folder, name))
  const last = Math.max(0, ...(await lockNumbers(folder).catch(() => [])))
  let isLate = false
  let damage: BrokenStateError | undefined
  let lock: Promise<Lock> | undefined

  async function prepare(): Promise<Lock> {
    for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 })
    const taken = await takeLock(folder)
    try {
      for (const path of folders) await removeParts(path)
      await removeParts(dirname(configuration), `${basename(configuration)}.`)
      if (!isLate || taken.number === last + 1) return taken
      throw new Error(`another server has used ${folder} since this one read it: restart this one`)
    } catch (error) {
      await taken.release()
      throw error
    }
  }

  /** Without the lock, nothing is written. A disk that was full at the start may have room later. */
  function locked(): Promise<Lock> {
    lock ??= prepare().catch((error) => {
      lock = undefined
      isLate = true
      throw namedError(folder, error)
    })
    return lock
  }

  const write = async (file: string, text: string) => replaceFile(file, text, await locked())
  const remove = async (file: string) => {
    await (await locked()).check()
    await rm(file, { force: true })
  }

  await locked().catch((error) => {
    if (!unwritable.has(error.code)) throw error
  })

  /** Keeps the last state, in case the file is damaged later. */
  async function keepState() {
    const { number, check } = await locked()
    await check()
    const part = `${formerState}.${number}.part`
    await rm(part, { force: true })
    await link(state, part).then(() => rename(part, formerState), unless('ENOENT'))
  }

  const fileOf = (kind: SecretKind, name: string) => join(folder, `${kind}s`, fileNames[kind](name))

  return {
    async loadState() {
      damage = undefined
      try {
        return (await stateIn(state)) ?? (await stateIn(formerState)) ?? { domains: [] }
      } catch (error) {
        const former = await stateIn(formerState).catch(() => undefined)
        if (!former) throw error
        damage = new BrokenStateError(
          `${(error as Error).message}. The state before it is served, read-only: repair or delete the file, then restart`,
        )
        return former
      }
    },
    async saveState(next) {
      if (damage) throw damage
      await keepState()
      await write(state, `${JSON.stringify(next, null, 2)}\n`)
    },
    async loadConfiguration() {
      const text = await read(configuration)
      return text === undefined ? { primary: undefined, redirects: new Map() } : parseConfiguration(text, configuration)
    },
    saveConfiguration: (next) => write(configuration, formatConfiguration(next)),
    loadSecret: (kind, name) => read(fileOf(kind, name)),
    saveSecret: (kind, name, text) =>
      text === undefined ? remove(fileOf(kind, name)) : write(fileOf(kind, name), text),
    async replaceSecret(kind, name, former, text) {
      if ((await read(fileOf(kind, name))) === former) await write(fileOf(kind, name), text)
    },
    close: async () => (await lock)?.release(),
  }
}

const fileNames: Record<SecretKind, (name: string) => string> = {
  certificate: (host) => `${shortened(host)}.pem`,
  order: (host) => `${shortened(host)}.json`,
  account: (directoryUrl) => `${sha256(directoryUrl).slice(0, 32)}.pem`,
}

/** A file name has 255 bytes at most, and those of temporary files are longer than the host's. */
function shortened(host: string): string {
  return host.length <= 200 ? host : sha256(host)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** @throws BrokenStateError */
async function stateIn(file: string): Promise<StoredState | undefined> {
  const text = await read(file).catch((error) => {
    throw brokenState(file, error.message)
  })
  return text === undefined ? undefined : parseState(text, file)
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(unless('ENOENT'))
}
