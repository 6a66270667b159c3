import t from 'tap'
import { sharedChallenges } from '../../src/maintenance/shared-challenges.ts'
import { loadDomainState } from '../../src/state/domain-state.ts'
import { domainOf, emptyDisk, storageOn } from '../fixtures/domains.ts'

t.test('a challenge is presented once every instance can respond to it', async (t) => {
  const events: string[] = []
  const whenAcknowledged = async () => {
    events.push('acknowledged')
  }
  const storage = {
    ...storageOn(emptyDisk()),
    shared: { whenAcknowledged, join: whenAcknowledged, isCurrent: () => true },
  }
  const state = await loadDomainState(storage, domainOf)
  const challenges = sharedChallenges(state)
  await challenges.set('token', 'key authorization')
  t.strictSame([[...(state.current().challenges ?? [])], events], [[['token', 'key authorization']], ['acknowledged']])
  t.match((await storage.load()).records, [{ kind: 'challenge', name: 'token', value: 'key authorization' }])
  await challenges.delete('token')
  t.equal(state.current().challenges?.size, 0)
})
