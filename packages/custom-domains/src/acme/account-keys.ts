// The account key for an authority: created once, and replaced when the authority has lost the account.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'

/** The account key of each authority, as PEM. */
export interface AccountKeyStore {
  load(directoryUrl: string): Promise<string | undefined>
  /** @param former replaced if it is still the stored key; undefined: if none is stored */
  replace(directoryUrl: string, former: string | undefined, pem: string): Promise<void>
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

  /** Another instance may have been first: then its key counts. */
  async function replace(former: string | undefined): Promise<string> {
    await store.replace(directoryUrl, former, createKey())
    return (await store.load(directoryUrl)) as string
  }

  /** A broken key is replaced, and a new account registered with it. */
  async function load(): Promise<string> {
    const stored = await store.load(directoryUrl)
    return stored !== undefined && isKey(stored) ? stored : replace(stored)
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
