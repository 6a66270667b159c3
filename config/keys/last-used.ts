// Records once a minute when each key was last used, in a file next to the key file. Requests only set a flag.
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises'
import process from 'node:process'
import type { KeySet } from './key-set.ts'

interface RecordOptions {
  /** The file of the keys. */
  file: string
  keys: KeySet
  log: { warn(message: string): void }
  everyMs?: number
}

/** In milliseconds since the epoch, by the digest of the key. */
export type LastUsed = ReadonlyMap<string, number>

const EVERY_MS = 60_000

/** @returns a function that stops it after a last write */
export function recordUse({ file, keys, log, everyMs = EVERY_MS }: RecordOptions): () => Promise<void> {
  const own = new Map<string, number>()
  let writing = Promise.resolve()
  /** Uses that are not written yet. */
  let isPending = false
  let isFailing = false
  const timer = setInterval(recordNext, everyMs).unref()

  function recordNext() {
    writing = writing.then(record)
    return writing
  }

  async function record() {
    collect()
    if (!isPending) return
    try {
      await write(file, merged(await readLastUsed(file)))
      isPending = false
      isFailing = false
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!isFailing) log.warn(`cannot record the last use of the API keys next to ${file} (${code}); retrying`)
      isFailing = true
    }
  }

  function collect() {
    for (const [digest, key] of keys.current) {
      if (!key.isUsed) continue
      own.set(digest, Date.now())
      key.isUsed = false
      isPending = true
    }
  }

  /** Merges the records of other servers, without removed keys. */
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

/** Readable for everyone who can read the key file. */
async function write(file: string, times: LastUsed) {
  const entries = [...times].map(([digest, time]) => [digest, new Date(time).toISOString()])
  const part = `${recordOf(file)}.${process.pid}`
  const { mode } = await stat(file)
  await writeFile(part, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, { mode: 0o600 })
  await chmod(part, (mode | 0o600) & 0o666) // regardless of the umask
  await rename(part, recordOf(file))
}
