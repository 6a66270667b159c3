// API keys, stored as SHA-256 digests.
import { constants } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { endOf, type KeyEntry, parseLine } from './file.ts'
import { digestOf, isMistyped } from './key.ts'

export interface ApiKey {
  readonly name: string
  readonly isReadOnly: boolean
  /** In milliseconds since the epoch; Infinity if it does not expire, -Infinity once it is revoked. */
  readonly endsAt: number
}

/** The keys by their SHA-256 digests in lower-case hexadecimal. */
export type Keys = ReadonlyMap<string, ApiKey>

export interface NamedKey {
  name: string
  key: string
}

export interface KeySources {
  values: readonly NamedKey[]
  /** The environment variable that they come from. */
  variable: string
  /** Absent where a file cannot be configured. */
  file?: string | undefined
}

export type LiveKeys = ReturnType<typeof keySet>

export function keySet(keys: Keys) {
  let current = keys
  const revoked = new Map<string, ApiKey>()
  return {
    /** The key file has changed and cannot be used: its former keys remain valid. */
    isReloadFailing: false,
    /** When the key file was last read without an error, in milliseconds since the epoch; undefined if it is not followed. */
    lastReadAt: undefined as number | undefined,
    /** Replaced as a whole whenever a key changes. */
    get current() {
      return current
    },
    /** Finds expired keys as well, and the last ones that were revoked. */
    find(key: string): ApiKey | undefined {
      if (isMistyped(key)) return undefined
      const digest = digestOf(key)
      return current.get(digest) ?? revoked.get(digest)
    },
    replace(next: Keys) {
      for (const [digest, key] of current) {
        if (!next.has(digest)) revoked.set(digest, { ...key, endsAt: Number.NEGATIVE_INFINITY })
        if (revoked.size > MAX_REVOKED) revoked.delete(revoked.keys().next().value as string)
      }
      current = next
    },
  }
}

/** When each name loses its access, in milliseconds since the epoch: a rotated key has the name of its successor, which counts. */
export function endsByName(keys: Keys): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { name, endsAt } of keys.values()) ends.set(name, Math.max(endsAt, ends.get(name) ?? endsAt))
  return ends
}

/** How many revoked keys the log still knows by name. */
const MAX_REVOKED = 1_000

const unlimited = { isReadOnly: false, created: undefined, expires: undefined, grace: undefined }
/** Lines of the file, which take a few milliseconds. */
const SLICE = 200

/** Keys that do not expire. @throws with a line for each error */
export function keysOf(values: readonly NamedKey[], variable = ''): Keys {
  return mergeKeys({ values, variable })
}

/**
 * @returns also the contents of the file, unless it is a pipe, which cannot be read again
 * @throws with a line for each error
 */
export async function loadKeys(sources: KeySources): Promise<{ keys: Keys; text?: string }> {
  const { values, variable, file } = sources
  if (file === undefined) return { keys: keysOf(values, variable) }
  const text = await readFile(file, 'utf8').catch(unreadable(file))
  const keys = mergeKeys(sources, text)
  if (keys.size === values.length) throw new Error(`${file} contains no key`)
  const isRegular = (await stat(file)).isFile()
  return isRegular ? { keys, text } : { keys }
}

/** Loads the keys for startup. @throws like loadKeys, and in production if there is no key */
export async function loadNeededKeys(sources: KeySources, isProduction: boolean) {
  const loaded = await loadKeys(sources)
  if (isProduction && loaded.keys.size === 0) {
    const { variable } = sources
    const variables = 'file' in sources ? `${variable} or ${variable}_FILE` : variable
    throw new Error(`NODE_ENV is production and there is no key: set ${variables}`)
  }
  return loaded
}

/**
 * The keys listed in a variable and those of the file.
 * @throws with a line for each error
 */
export function mergeKeys(sources: KeySources, text = ''): Keys {
  const keys = new Map<string, ApiKey>()
  for (const _ of merge(sources, text, keys));
  return keys
}

/** Like `mergeKeys`, in slices: a file of 100,000 keys takes a second, in which a server has other things to do. */
export async function mergeKeysInSlices(sources: KeySources, text: string): Promise<Keys> {
  const keys = new Map<string, ApiKey>()
  for (const _ of merge(sources, text, keys)) await setImmediate()
  return keys
}

/** Fills `keys`, and yields now and then. */
function* merge({ values, variable, file = '' }: KeySources, text: string, keys: Map<string, ApiKey>) {
  const problems: string[] = []
  const names = new Set<string>()

  function add(entry: KeyEntry, where: string) {
    const { name, digest, isReadOnly, grace } = entry
    // A rotated key has the name of its successor.
    if (grace === undefined && names.has(name)) problems.push(`${where}: the name ${name} is used twice`)
    if (grace === undefined) names.add(name)
    if (keys.has(digest)) problems.push(`${where}: this key already has another name`)
    keys.set(digest, { name, isReadOnly, endsAt: endOf(entry) })
  }

  for (const { name, key } of values) {
    const where = `${variable}: ${name}`
    if (isMistyped(key)) problems.push(`${where}: the key is mistyped: its last six digits are not its checksum`)
    add({ ...unlimited, name, digest: digestOf(key) }, where)
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entry = parseLine(line)
    const where = `${file}, line ${index + 1}`
    if (typeof entry === 'string') problems.push(`${where}: ${entry}`)
    else if (entry) add(entry, where)
    if (index % SLICE === SLICE - 1) yield
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/**
 * Opens without blocking: otherwise, opening a pipe waits for its writer, and keeps the process from ending.
 * @throws with a line that names the file
 */
export async function readKeyFileAgain(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(unreadable(file))
  try {
    const stat = await handle.stat()
    if (stat.isFIFO()) throw new Error(`cannot read the key file ${file}: it is not a file`)
    if (stat.nlink === 0) throw new Error(`${file} was replaced where it is mounted from: mount its folder instead`)
    return await handle.readFile('utf8').catch(unreadable(file))
  } finally {
    await handle.close()
  }
}

const unreadable = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new Error(`cannot read the key file ${file}: ${error.code}`, { cause: error })
}
