// The changes that commands make: functions from the lines of the key file to its new lines.
import { endOf, formatEntry, type KeyEntry, type KeyLine } from './file.ts'
import { digestOf } from './key.ts'

type Change = (lines: KeyLine[]) => KeyLine[]

interface NewKey {
  name: string
  key: string
  /** In milliseconds since the epoch, as in the file. */
  now: number
  /** How long it is valid, in milliseconds. */
  lifetime: number | undefined
  isReadOnly: boolean
}

/** Throws if the name is taken. */
export function addKey(newKey: NewKey): Change {
  return (lines) => {
    if (lines.some(isNamed(newKey.name))) throw new Error(`${newKey.name} already has a key: rotate or revoke it`)
    const isLastEmpty = lines.at(-1)?.text === ''
    return [...(isLastEmpty ? lines.slice(0, -1) : lines), lineOf(entryOf(newKey))]
  }
}

/**
 * The new key gets the scope of the old one and, unless another is given, its lifetime. The old key stays valid for
 * `grace` milliseconds, and keys rotated earlier keep theirs; with 0, all of them are removed.
 */
export function rotateKey({ name, grace, ...newKey }: Omit<NewKey, 'isReadOnly'> & { grace: number }): Change {
  return (lines) => {
    const old = lines.find(({ entry }) => entry?.name === name && entry.grace === undefined)?.entry
    if (!old) throw new Error(`there is no key named ${name}`)
    const { now, lifetime = lifetimeOf(old) } = newKey
    const next = lineOf(entryOf({ ...newKey, name, lifetime, isReadOnly: old.isReadOnly }))
    return lines.flatMap((line) => {
      const { entry } = line
      if (entry?.name !== name) return [line]
      const kept = entry === old ? lineOf({ ...old, grace: now + grace }) : line
      const isExpired = grace === 0 || endOf(kept.entry as KeyEntry) <= now
      return [...(entry === old ? [next] : []), ...(isExpired ? [] : [kept])]
    })
  }
}

/** Throws if there is no such key. */
export function revokeKey(name: string): Change {
  return (lines) => {
    if (!lines.some(isNamed(name))) throw new Error(`there is no key named ${name}`)
    return lines.filter((line) => !isNamed(name)(line))
  }
}

const isNamed =
  (name: string) =>
  ({ entry }: KeyLine) =>
    entry?.name === name

function lifetimeOf({ created, expires }: KeyEntry): number | undefined {
  if (expires === undefined) return undefined
  if (created === undefined)
    throw new Error('the old key expires, but its line does not say when it was created: give --expires')
  return expires - created
}

function entryOf({ name, key, now, lifetime, isReadOnly }: NewKey): KeyEntry {
  const expires = lifetime === undefined ? undefined : now + lifetime
  return { name, digest: digestOf(key), isReadOnly, created: now, expires, grace: undefined }
}

function lineOf(entry: KeyEntry): KeyLine {
  return { text: formatEntry(entry), entry }
}
