// Follows the file of API keys: a change takes effect without a restart, and a mistake leaves the keys as they were.
import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { type KeySources, type LiveKeys, mergeKeys, readKeyFile } from './key-set.ts'

export interface FollowOptions extends KeySources {
  file: string
  /** The contents that the keys were read from. */
  text: string
  keys: LiveKeys
  log: Record<'info' | 'warn' | 'error', (message: string) => void>
  /** In milliseconds: finds changes that no event reports, as in network file systems. */
  pollMs?: number
}

/** Several events are one change, and a file that is written in place is read once it is whole. */
const SETTLE_MS = 100
const POLL_MS = 5_000

/**
 * The folder is watched, not the file: editors and commands replace files, Kubernetes replaces symbolic links.
 * @returns a function that stops it
 */
export function followKeyFile({ text, keys, log, pollMs = POLL_MS, ...sources }: FollowOptions): () => Promise<void> {
  const { file } = sources
  let seen = text
  let problem = ''
  let looking = Promise.resolve()
  let settling: NodeJS.Timeout | undefined
  let unwatch = watchFolder(file, settle)
  const poll = setInterval(() => {
    const former = unwatch
    unwatch = watchFolder(file, settle) // the folder itself may have been replaced
    former()
    lookNext()
  }, pollMs).unref()

  function settle() {
    settling ??= setTimeout(() => {
      settling = undefined
      lookNext()
    }, SETTLE_MS).unref()
  }

  function lookNext() {
    looking = looking.then(look)
  }

  async function look() {
    const found = await readKeyFile(file).catch(refuse)
    if (found === undefined || (found === seen && !problem)) return
    seen = found
    try {
      if (found === '') throw new Error(`${file} is empty`) // being written, or cut off
      const next = mergeKeys(sources, found)
      keys.replace(next)
      problem = ''
      log[next.size > 0 ? 'info' : 'warn'](`the API keys have been read again: ${countOf(next.size)}`)
    } catch (error) {
      refuse(error as Error)
    }
  }

  function refuse({ message }: Error) {
    if (message !== problem) log.error(`the API keys stay as they were: ${message}`)
    problem = message
  }

  return async () => {
    clearInterval(poll)
    clearTimeout(settling)
    unwatch()
    await looking
  }
}

/** @returns a function that stops it */
function watchFolder(file: string, onChange: () => void): () => void {
  try {
    const watcher = watch(dirname(file), { persistent: false }, onChange)
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {} // the folder is gone, or the system allows no more watches: the poll is left
  }
}

const countOf = (keys: number) => (keys === 1 ? '1 key' : `${keys} keys`)
