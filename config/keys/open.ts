// The keys of a server, reloaded while it runs.

import { makeKey } from './key.ts'
import { type KeySources, keySet, keysOf, loadNeededKeys } from './key-set.ts'
import { type FollowOptions, followKeyFile } from './watch.ts'

/**
 * Without keys, generates one for this run. `follow` reloads the file, if there is one, until the function that it returns
 * is called.
 * @throws like loadNeededKeys
 */
export async function openKeys(sources: KeySources, isProduction: boolean) {
  const { file } = sources
  const { keys: loaded, text } = await loadNeededKeys(sources, isProduction)
  const runKey = loaded.size === 0 ? makeKey() : undefined
  const keys = keySet(runKey ? keysOf([{ name: 'this-run', key: runKey }]) : loaded)
  const follow = (log: FollowOptions['log']) =>
    runKey || file === undefined || text === undefined
      ? async () => {}
      : followKeyFile({ ...sources, file, text, keys, log })
  return { keys, runKey, follow }
}
