// Records when each key was last used, to the minute, in a file beside that of the keys. Requests only set a flag.
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises'
import process from 'node:process'
import type { KeySet } from './key-set.ts'

export interface RecordOptions {
  /** The file of the keys. */
  file: string
  keys: KeySet
  log: { warn(message: string): void }
  everyMs?: number
}

/** In milliseconds since the epoch, by the digest of the key. */
export type LastUsed = ReadonlyMap<string, number>

const EVERY_MS = 60_000

/** @returns a function that stops it, after writing once more */
export function recordUse({ file, keys, log, everyMs = EVERY_MS }: RecordOptions): () => Promise<void> {
  const own = new Map<string, number>()
  let writing = Promise.resolve()
  let isFailing = false
  const timer = setInterval(recordNext, everyMs).unref()

  function recordNext() {
    writing = writing.then(record)
    return writing
  }

  async function record() {
    if (!collect()) return
    try {
      await write(file, merged(await readLastUsed(file)))
      isFailing = false
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!isFailing) log.warn(`the last use of the API keys cannot be recorded beside ${file}: ${code}`)
      isFailing = true
    }
  }

  /** @returns whether any key has been used */
  function collect(): boolean {
    const used = [...keys.current].filter(([, { isUsed }]) => isUsed)
    for (const [digest, key] of used) {
      own.set(digest, Date.now())
      key.isUsed = false
    }
    return used.length > 0
  }

  /** Other servers may share the file; keys that are gone leave it. */
  function merged(recorded: LastUsed): LastUsed {
    const times = [...keys.current.keys()].map((digest): [string, number] => {
      return [digest, Math.max(own.get(digest) ?? 0, recorded.get(digest) ?? 0)]
    })
    return new Map(times.filter(([, time]) => time > 0))
  }

  return () => {
    clearInterval(timer)
    return recordNext()
  }
}

const recordOf = (file: string) => `${file}.last-used`

/** Empty if nothing has been recorded. */
export async function readLastUsed(file: string): Promise<LastUsed> {
  try {
    const times: unknown = JSON.parse(await readFile(recordOf(file), 'utf8'))
    const entries = Object.entries(times as Record<string, unknown>)
    return new Map(entries.map(([digest, time]): [string, number] => [digest, Date.parse(String(time)) || 0]))
  } catch {
    return new Map()
  }
}

/** Who can read the keys' file can read this one. */
async function write(file: string, times: LastUsed) {
  const entries = [...times].map(([digest, time]) => [digest, new Date(time).toISOString()])
  const part = `${recordOf(file)}.${process.pid}`
  const { mode } = await stat(file)
  await writeFile(part, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, { mode: 0o600 })
  await chmod(part, (mode | 0o600) & 0o666) // whatever the umask
  await rename(part, recordOf(file))
}
