// The state of all domains, and the one way to change it: a change takes effect once it is saved.
import { type Configuration, formatConfiguration, parseConfiguration } from './configuration.ts'
import type { Domain, RedirectStatus } from './domain.ts'
import type { DomainStorage, StoredState } from './storage.ts'

export interface Snapshot extends Configuration {
  /** By host, in the order in which they were added. */
  domains: ReadonlyMap<string, Domain>
}

export interface Draft extends Snapshot {
  domains: Map<string, Domain>
  redirects: Map<string, RedirectStatus>
}

export interface DomainState {
  current(): Snapshot
  /**
   * Applies one change at a time. Removing a domain removes its redirect; removing the primary domain removes all of them.
   * @returns the result of `change`
   * @throws when the change cannot be saved, and then nothing has changed
   */
  commit<Result>(change: (draft: Draft) => Result): Promise<Result>
  /** Applies a change without saving it. The next commit saves it, too. */
  applyUnsaved(change: (draft: Draft) => void): Promise<void>
  /** Waits for pending changes and rejects later ones. */
  close(): Promise<void>
}

/** @param create makes a domain that is in the configuration but not in the stored state */
export async function loadDomainState(storage: DomainStorage, create: (host: string) => Domain): Promise<DomainState> {
  const stored = await storage.loadState()
  const configuration = await storage.loadConfiguration()
  const pending =
    stored.configuration === undefined ? configuration : parseConfiguration(stored.configuration, 'the state')
  let current: Snapshot = { ...pending, domains: new Map(stored.domains.map((domain) => [domain.name.host, domain])) }
  let saved = formatConfiguration(configuration)
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  /** With a copy of the configuration, unless that is saved already. */
  function storedOf(snapshot: Snapshot): StoredState {
    const domains = [...snapshot.domains.values()]
    const text = formatConfiguration(snapshot)
    return text === saved ? { domains } : { domains, configuration: text }
  }

  async function save(next: Snapshot) {
    // This write decides: from here on, the next start completes what a crash interrupts.
    await storage.saveState(storedOf(next))
    const text = formatConfiguration(next)
    if (text === saved) return
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

  const state: DomainState = {
    current: () => current,
    commit: (change) =>
      enqueue(async () => {
        if (isClosed) throw new Error('the domains can no longer be changed: the server is shutting down')
        const draft = draftOf(current)
        const result = change(draft)
        dropDanglingRedirects(draft)
        await save(draft)
        current = draft
        return result
      }),
    applyUnsaved: (change) =>
      enqueue(async () => {
        const draft = draftOf(current)
        change(draft)
        current = draft
      }),
    close: () =>
      enqueue(async () => {
        isClosed = true
      }),
  }
  await state.commit(({ domains, primary, redirects }) => {
    for (const host of [primary, ...redirects.keys()]) {
      if (host !== undefined && !domains.has(host)) domains.set(host, create(host))
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

function draftOf({ domains, primary, redirects }: Snapshot): Draft {
  return { domains: new Map(domains), primary, redirects: new Map(redirects) }
}
