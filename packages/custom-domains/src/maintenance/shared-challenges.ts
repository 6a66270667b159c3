// Pending challenges of instances that share the storage: any of them may be queried.
import type { DomainState } from '../state/domain-state.ts'

/**
 * Presented once every instance can respond.
 * @param state as the leader's: a former leader must not delete what its successor needs
 */
export function sharedChallenges(state: DomainState) {
  return {
    async set(token: string, keyAuthorization: string): Promise<void> {
      await state.commit(({ challenges }) => challenges.set(token, keyAuthorization))
      await state.whenAcknowledged()
    },
    delete: (token: string) => state.apply(({ challenges }) => challenges.delete(token)),
  }
}
