// The keys of a server, reloaded while it runs.

import { makeKey } from './key.ts'
import { type KeySources, keySet, keysOf, type LiveKeys, loadNeededKeys } from './key-set.ts'
import { type FollowOptions, followKeyFile } from './watch.ts'

interface OpenedKeys {
  keys: LiveKeys
  /** The key that was generated for this run. */
  runKey?: string
  /** Reloads the file, if there is one, until the returned function is called. */
  follow(log: FollowOptions['log']): () => Promise<void>
}

/**
 * Without keys, generates one for this run.
 * @throws like loadNeededKeys
 */
export async function openKeys(sources: KeySources, isProduction: boolean): Promise<OpenedKeys> {
  const { file } = sources
  const { keys: loaded, text } = await loadNeededKeys(sources, isProduction)
  if (loaded.size > 0) {
    const keys = keySet(loaded)
    const isFollowed = file !== undefined && text !== undefined
    return { keys, follow: (log) => (isFollowed ? followKeyFile({ ...sources, file, text, keys, log }) : nothing) }
  }
  const runKey = makeKey()
  return { keys: keySet(keysOf([{ name: 'this-run', key: runKey }])), runKey, follow: () => nothing }
}

const nothing = async () => {}
