// The account key for an authority: created once, and replaced when the authority has lost the account.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'

/** Stores the account key of each authority, as PEM. */
export interface AccountKeyStore {
  load(directoryUrl: string): Promise<string | undefined>
  save(directoryUrl: string, pem: string): Promise<void>
  replace(directoryUrl: string, former: string, pem: string): Promise<void>
}

export interface AccountKeys {
  current(): Promise<string>
  /** Concurrent calls share the next key. */
  replace(former: string): Promise<string>
}

export function accountKeysOf(store: AccountKeyStore, directoryUrl: string): AccountKeys {
  let key: Promise<string> | undefined
  let replaced: string | undefined

  function keep(next: Promise<string>): Promise<string> {
    key = next.catch((error) => {
      key = replaced = undefined
      throw error
    })
    return key
  }

  async function replace(former: string): Promise<string> {
    const created = createKey()
    await store.replace(directoryUrl, former, created)
    return created
  }

  /** A broken key is replaced, and a new account registered with it. */
  async function load(): Promise<string> {
    const stored = await store.load(directoryUrl)
    if (stored !== undefined) return isKey(stored) ? stored : replace(stored)
    const created = createKey()
    await store.save(directoryUrl, created)
    return created
  }

  const current = () => key ?? keep(load())

  return {
    current,
    replace(former) {
      if (former === replaced) return current()
      replaced = former
      return keep(replace(former))
    },
  }
}

/** An ECDSA key, as PEM. */
export function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem) !== undefined
  } catch {
    return false
  }
}
