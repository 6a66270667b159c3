// The state of all domains, and the one way to change it: a change takes effect once it is saved.
import { type Configuration, formatConfiguration, parseConfiguration } from './configuration.ts'
import type { Domain, RedirectStatus } from './domain.ts'
import type { Hold } from './hold.ts'
import type { Message } from './message.ts'
import { ConflictError, type DomainStorage, type StoredState, WorkLostError } from './storage.ts'

export interface Snapshot extends Configuration {
  /** By host, in the order in which they were added. */
  domains: ReadonlyMap<string, Domain>
  /** The key authorizations of pending challenges, by token, where instances share the state. */
  challenges?: ReadonlyMap<string, string>
  /** The authorities that ask to wait, or did until the last order, by directory URL. */
  holds?: ReadonlyMap<string, Hold>
  /** Messages for the webhook, the oldest first. */
  outbox: readonly Message[]
}

export interface Draft extends Snapshot {
  domains: Map<string, Domain>
  redirects: Map<string, RedirectStatus>
  challenges: Map<string, string>
  holds: Map<string, Hold>
}

export interface DomainState {
  current(): Snapshot
  /**
   * Applies one change at a time. Removing a domain removes its redirect; removing the primary domain removes all of them.
   * @returns the result of `change`
   * @throws NotSavedError, and then nothing has changed
   */
  commit<Result>(change: (draft: Draft) => Result): Promise<Result>
  /**
   * Commits a change, or applies it without saving it. The next commit saves it, too.
   * @returns why it is not saved
   */
  apply(change: (draft: Draft) => void): Promise<NotSavedError | undefined>
  /** Why the last change could not be saved. */
  unsaved(): NotSavedError | undefined
  /** The same state, whose changes are saved only while this instance is the one that works. */
  forWork(): DomainState
  /** Loads what another instance has saved. */
  reload(): Promise<void>
  /** Resolves when every instance serves the current state. */
  spread(): Promise<void>
  /** Waits for pending changes and rejects later ones. */
  close(): Promise<void>
}

/** Follows every change. */
export interface Follower {
  /** Completes a change before it is saved; called again if the change is made again. */
  complete(before: Snapshot, draft: Draft): void
  /** A change has taken effect. */
  onChange(): void
}

/** The storage does not take changes at present: a full disk, a database that is down. */
export class NotSavedError extends Error {}

/** @param create makes a domain that is in the configuration but not in the stored state */
export async function loadDomainState(
  storage: DomainStorage,
  create: (host: string) => Domain,
  follower?: Follower,
): Promise<DomainState> {
  const configuration = await storage.loadConfiguration()
  let current: Snapshot = snapshotOf(await storage.loadState(), configuration)
  let saved = formatConfiguration(configuration)
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let unsaved: NotSavedError | undefined

  /** With a copy of the configuration, unless that is saved already. */
  function storedOf(snapshot: Snapshot): StoredState {
    const { domains, challenges = new Map(), holds = new Map(), outbox } = snapshot
    const text = formatConfiguration(snapshot)
    return {
      domains: [...domains.values()],
      ...(text !== saved && { configuration: text }),
      ...(challenges.size > 0 && { challenges: Object.fromEntries(challenges) }),
      ...(holds.size > 0 && { holds: Object.fromEntries(holds) }),
      ...(outbox.length > 0 && { outbox }),
    }
  }

  async function save(next: Snapshot, isWork: boolean) {
    // This write decides: from here on, the next start completes what a crash interrupts.
    await storage.saveState(storedOf(next), isWork)
    const text = formatConfiguration(next)
    if (text === saved || !storage.saveConfiguration) return
    try {
      await storage.saveConfiguration(next)
    } catch (error) {
      const undo = storage.saveState(storedOf(current))
      const isUndone = await undo.then(() => true).catch(() => false)
      if (isUndone) throw error
      return // the change could not be undone, so it remains; the next commit saves the configuration
    }
    saved = text
    await storage.saveState(storedOf(next)).catch(() => {}) // the next commit clears the copy of the configuration
  }

  function enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = last.then(task)
    last = done.catch(() => {})
    return done
  }

  function changed<Result>(change: (draft: Draft) => Result): { draft: Draft; result: Result } {
    const draft = draftOf(current)
    const result = change(draft)
    dropDanglingRedirects(draft)
    follower?.complete(current, draft)
    return { draft, result }
  }

  function take(next: Snapshot) {
    current = next
    follower?.onChange()
  }

  async function load() {
    take(snapshotOf(await storage.loadState(), configuration))
  }

  /** What another instance has saved is loaded before the change is made again. */
  async function unlessChanged(error: unknown): Promise<never> {
    if (error instanceof ConflictError) await load()
    throw error
  }

  async function commit<Result>(change: (draft: Draft) => Result, isWork: boolean): Promise<Result> {
    if (isClosed) throw new Error('the domains can no longer be changed: the server is shutting down')
    const { draft, result } = changed(change)
    try {
      await save(draft, isWork).catch(unlessChanged)
    } catch (error) {
      if (error instanceof ConflictError) return commit(change, isWork)
      if (error instanceof WorkLostError) throw error
      unsaved = new NotSavedError((error as Error).message, { cause: error })
      throw unsaved
    }
    unsaved = undefined
    take(draft)
    return result
  }

  const stateFor = (isWork: boolean): DomainState => ({
    current: () => current,
    commit: (change) => enqueue(() => commit(change, isWork)),
    apply: (change) =>
      enqueue(async () => {
        try {
          await commit(change, isWork)
          return undefined
        } catch (error) {
          if (!(error instanceof NotSavedError)) throw error
          take(changed(change).draft)
          return error
        }
      }),
    unsaved: () => unsaved,
    forWork: () => stateFor(true),
    reload: () => enqueue(load),
    spread: async () => storage.shared?.spread(),
    close: () =>
      enqueue(async () => {
        isClosed = true
      }),
  })
  const state = stateFor(false)
  await state.apply(({ domains, primary, redirects }) => {
    for (const host of [primary, ...redirects.keys()]) {
      if (host === undefined) continue
      const known = domains.get(host)
      if (!known || known.isPlatform) domains.set(host, create(host))
    }
  })
  return state
}

/** The primary domain must exist, and only other existing domains redirect to it. */
function dropDanglingRedirects(draft: Draft) {
  const { domains, redirects } = draft
  if (draft.primary !== undefined && !domains.has(draft.primary)) draft.primary = undefined
  const { primary } = draft
  for (const host of redirects.keys()) {
    if (primary === undefined || host === primary || !domains.has(host)) redirects.delete(host)
  }
}

function draftOf({ domains, primary, redirects, challenges, holds, outbox }: Snapshot): Draft {
  return {
    domains: new Map(domains),
    primary,
    redirects: new Map(redirects),
    challenges: new Map(challenges),
    holds: new Map(holds),
    outbox,
  }
}

/** @param configuration counts unless the state has a copy that was not saved yet */
function snapshotOf(stored: StoredState, configuration: Configuration) {
  const { domains, configuration: copy, challenges = {}, holds = {}, outbox = [] } = stored
  return {
    ...(copy === undefined ? configuration : parseConfiguration(copy, 'the state')),
    domains: new Map(domains.map((domain) => [domain.name.host, domain])),
    challenges: new Map(Object.entries(challenges)),
    holds: new Map(Object.entries(holds)),
    outbox,
  } satisfies Snapshot
}
