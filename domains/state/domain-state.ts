// All domains as they are now, and the one way to change them: what changes is saved first, then it counts.
import { type Configuration, formatConfiguration, parseConfiguration } from './configuration.ts'
import type { Domain, RedirectStatus } from './domain.ts'
import type { DomainStorage } from './storage.ts'

export interface Domains extends Configuration {
  /** By host, in the order in which they were added. */
  domains: ReadonlyMap<string, Domain>
}

export interface Draft extends Domains {
  domains: Map<string, Domain>
  redirects: Map<string, RedirectStatus>
}

export interface Model {
  current(): Domains
  /**
   * Changes are made one after the other. With a domain go its redirect and its being primary; with the primary one, all
   * redirects. @returns what `change` does
   * @throws when the change cannot be saved, and then nothing has changed
   */
  commit<Result>(change: (draft: Draft) => Result): Promise<Result>
  /** For what is so although it cannot be saved. The next commit saves it, too. */
  assume(change: (draft: Draft) => void): Promise<void>
  /** Waits for what has begun; nothing is changed any more. */
  close(): Promise<void>
}

/** @param found what the configuration names and the state does not, as domains to begin with */
export async function loadModel(storage: DomainStorage, found: (host: string) => Domain): Promise<Model> {
  const state = await storage.loadState()
  const configuration = await storage.loadConfiguration()
  const begun = state.configuration === undefined ? configuration : parseConfiguration(state.configuration, 'the state')
  let current: Domains = { ...begun, domains: new Map(state.domains.map((domain) => [domain.name.host, domain])) }
  let saved = formatConfiguration(configuration)
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function save(next: Domains) {
    const domains = [...next.domains.values()]
    const text = formatConfiguration(next)
    if (text === saved) return storage.saveState({ domains })
    // With this write the change counts as a whole: what a crash leaves undone is done at the next start.
    await storage.saveState({ domains, configuration: text })
    try {
      await storage.saveConfiguration(next)
    } catch (error) {
      const undo = storage.saveState({ domains: [...current.domains.values()] })
      const isUndone = await undo.then(() => true).catch(() => false)
      if (isUndone) throw error
      return // what cannot be taken back counts, and the next change saves the configuration
    }
    saved = text
    await storage.saveState({ domains }).catch(() => {}) // the next change leaves it out
  }

  function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = last.then(task)
    last = done.catch(() => {})
    return done
  }

  const model: Model = {
    current: () => current,
    commit: (change) =>
      inTurn(async () => {
        if (isClosed) throw new Error('the domains cannot be changed any more: the server is shutting down')
        const draft = draftOf(current)
        const result = change(draft)
        leadSomewhere(draft)
        await save(draft)
        current = draft
        return result
      }),
    assume: (change) =>
      inTurn(async () => {
        const draft = draftOf(current)
        change(draft)
        current = draft
      }),
    close: () =>
      inTurn(async () => {
        isClosed = true
      }),
  }
  await model.commit(({ domains, primary, redirects }) => {
    for (const host of [primary, ...redirects.keys()]) {
      if (host !== undefined && !domains.has(host)) domains.set(host, found(host))
    }
  })
  return model
}

/** Only a domain is primary, and only other domains redirect to it. */
function leadSomewhere(draft: Draft) {
  const { domains, redirects } = draft
  if (draft.primary !== undefined && !domains.has(draft.primary)) draft.primary = undefined
  const { primary } = draft
  for (const host of redirects.keys()) {
    if (primary === undefined || host === primary || !domains.has(host)) redirects.delete(host)
  }
}

function draftOf({ domains, primary, redirects }: Domains): Draft {
  return { domains: new Map(domains), primary, redirects: new Map(redirects) }
}
