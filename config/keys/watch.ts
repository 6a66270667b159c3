// Reloads the file of API keys when it changes. Invalid contents leave the keys unchanged.
import { expiredWarnings, listOfNames } from './expired.ts'
import { type KeySources, type Keys, type LiveKeys, mergeKeysInSlices, readKeyFileAgain } from './key-set.ts'

export interface FollowOptions extends KeySources {
  file: string
  /** The contents that the keys were read from. */
  text: string
  keys: LiveKeys
  log: Record<'info' | 'warn' | 'error', (message: string) => void>
  pollMs?: number
}

const POLL_MS = 500

/**
 * Polls: file system events miss changes on network file systems, and replaced folders and symbolic links. A change takes
 * effect once two reads agree, as the file may be read while it is being written.
 * @returns a function that stops polling
 */
export function followKeyFile({ text, keys, log, pollMs = POLL_MS, ...sources }: FollowOptions): () => Promise<void> {
  const { file } = sources
  let applied = text
  let last = text
  let reading: Promise<void> | undefined
  const poll = setInterval(() => {
    reading ??= read().finally(() => {
      reading = undefined
    })
  }, pollMs).unref()
  keys.lastReadAt = Date.now()

  async function read() {
    let problem = ''
    const contents = await readKeyFileAgain(file).catch(({ message }: Error) => {
      problem = message
      return message
    })
    const isSettled = contents === last
    last = contents
    if (!problem) keys.lastReadAt = Date.now()
    if (!isSettled || contents === applied) return
    applied = contents
    try {
      if (problem || contents === '') throw new Error(problem || `${file} is empty`)
      const next = await mergeKeysInSlices(sources, contents)
      const changes = changesOf(keys.current, next)
      keys.replace(next)
      keys.isReloadFailing = false
      const count = next.size === 1 ? '1 key' : `${next.size} keys`
      log[next.size > 0 ? 'info' : 'warn'](`API keys reloaded: ${[count, ...changes].join(', ')}`)
      for (const warning of expiredWarnings(next)) log.warn(warning)
    } catch (error) {
      keys.isReloadFailing = true
      log.error(`cannot reload the API keys; the previous ones remain valid: ${(error as Error).message}`)
    }
  }

  return async () => {
    clearInterval(poll)
    await reading
  }
}

/** `added a b`, `removed c`: a rotated key has the name of its successor. */
function changesOf(before: Keys, after: Keys): string[] {
  return [...missing('added', before, after), ...missing('removed', after, before)]
}

/** Names the first keys that others lack. */
function missing(what: string, others: Keys, keys: Keys): string[] {
  const names = [...keys].flatMap(([digest, { name }]) => (others.has(digest) ? [] : name))
  return names.length > 0 ? [`${what} ${listOfNames(names)}`] : []
}
