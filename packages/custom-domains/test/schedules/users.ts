// What users do, and what they then know of: domains that are there, and domains that are gone.
import { DomainError } from '../../src/domain-error.ts'
import type { Registry, Update } from '../../src/registry/index.ts'
import { StorageUnavailableError } from '../../src/state/storage.ts'
import type { Operation } from './actions.ts'
import type { Owner } from './scheduler.ts'
import type { World } from './world.ts'

interface Running extends Operation {
  by: Owner
  /** Another one that has the opposite effect was running at the same time: the domain may be there or not. */
  hasRival: boolean
}

/** Follows a role that another instance may give to another domain at the same time. */
const redirectToFirst =
  (host: string) =>
  ({ roles, redirect }: Update) => {
    const first = roles.get('first')
    if (first !== undefined && first !== host) redirect(host, first)
  }

export type Users = ReturnType<typeof usersOf>

export function usersOf({ db, instances }: World) {
  const [known, gone] = [new Set<string>(), new Set<string>()]
  const running = new Set<Running>()

  const isRemoval = ({ kind }: Operation) => kind === 'remove' || kind === 'revoke'
  const areRivals = (one: Operation, other: Operation) =>
    one.host === other.host &&
    ((one.kind === 'publish' && isRemoval(other)) || (isRemoval(one) && other.kind === 'publish'))

  async function run(registry: Registry, { kind, host }: Operation) {
    if (kind === 'revoke') return registry.remove(host, 'superseded')
    if (kind === 'setRole') return registry.update(({ roles }) => roles.set('first', host))
    if (kind === 'setRedirect') return registry.update(redirectToFirst(host))
    if (kind === 'removeRedirect') return registry.redirect(host, false)
    if (kind === 'publish')
      return registry.add(host, { update: ({ roles }) => roles.get('first') ?? roles.set('first', host) })
    return registry[kind](host)
  }

  /** Whether it was not rejected. What a rewind loses is told as an outage: its effect may be there or not. */
  async function succeeds(operation: Promise<unknown>): Promise<boolean> {
    try {
      await operation
      return true
    } catch (error) {
      if (error instanceof DomainError || error instanceof StorageUnavailableError) return false
      throw error
    }
  }

  return {
    known,
    gone,
    /** At this instance, or at another one while it starts. */
    async operate(operation: Operation) {
      const { kind, host, at } = operation
      const { owner: by, publishing } = [instances[at], ...instances].find((each) => each?.publishing) ?? {}
      if (!by || !publishing) return
      const own = { ...operation, by, hasRival: false }
      for (const other of running) if (areRivals(own, other)) other.hasRival = own.hasRival = true
      running.add(own)
      if (isRemoval(own)) known.delete(host)
      if (kind === 'publish') gone.delete(host)
      const isDone = await succeeds(run(publishing.registry, own))
      running.delete(own)
      if (own.hasRival || !isDone) return
      if (isRemoval(own)) gone.add(host)
      if (kind !== 'publish') return
      known.add(host)
      await succeeds(publishing.registry.verify(host))
    },
    /** What they have done last may be undone. */
    onRewind() {
      for (const each of running) each.hasRival = true
      gone.clear()
      for (const host of known) if (!db.has('domain', host)) known.delete(host)
    },
    /** Nobody learns how its operations would have ended. */
    onKill(by: Owner | undefined) {
      for (const each of running) if (each.by === by) running.delete(each)
    },
  }
}
