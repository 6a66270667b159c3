// A session with an authority: its client, the challenges that are served meanwhile, and how it is polled.
import { setTimeout } from 'node:timers/promises'
import type { Client } from 'acme-client'

export interface Connection {
  client: Client
  challenges: ChallengeStore
  signal: AbortSignal
}

/** The key authorizations served below `/.well-known/acme-challenge/`, by token. A Map will do. */
export interface ChallengeStore {
  set(token: string, keyAuthorization: string): unknown
  delete(token: string): unknown
}

/** The states in which the authority is still working (RFC 8555, section 7.1.6). */
const pendingStates = ['pending', 'ready', 'processing']
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

/** Polls until the authority has decided. */
export async function poll<Item extends { status: string }>(
  get: () => Promise<Item>,
  signal: AbortSignal,
): Promise<Item> {
  let item = await get()
  for (let wait = FIRST_WAIT_MS; pendingStates.includes(item.status); wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await setTimeout(wait, undefined, { signal })
    item = await get()
  }
  return item
}
