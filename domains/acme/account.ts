// The key of the account at an authority: created once, and used from then on.
import { createPrivateKey } from 'node:crypto'
import { crypto } from 'acme-client'

/** Stores the account key of each authority, as PEM. */
export interface AccountKeyStore {
  load(directoryUrl: string): Promise<string | undefined>
  save(directoryUrl: string, pem: string): Promise<void>
}

/** @returns a function that loads the key; concurrent first calls share one */
export function accountKeyOf(store: AccountKeyStore, directoryUrl: string): () => Promise<string> {
  let key: Promise<string> | undefined
  return () => {
    key ??= loadOrCreateKey(store, directoryUrl).catch((error) => {
      key = undefined
      throw error
    })
    return key
  }
}

async function loadOrCreateKey(store: AccountKeyStore, directoryUrl: string): Promise<string> {
  const stored = await store.load(directoryUrl)
  if (stored !== undefined && isKey(stored)) return stored
  const created = String(await crypto.createPrivateEcdsaKey())
  await store.save(directoryUrl, created)
  return created
}

/** A broken key is replaced, and a new account with it. */
function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem) !== undefined
  } catch {
    return false
  }
}
