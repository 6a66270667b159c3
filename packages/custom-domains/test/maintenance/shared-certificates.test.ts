import t from 'tap'
import { deferred } from '../../../../test/fixtures/deferred.ts'
import { sharedCertificates, sharedChallenges } from '../../src/maintenance/shared-certificates.ts'
import { loadDomainState } from '../../src/state/domain-state.ts'
import { begin, certificateAt, domainOf, emptyDisk, storageOn } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const certificate = { issuer: 'Tests', notBefore: '', notAfter: '' }

t.test('each certificate of a live domain is loaded once, and again when it is renewed', async (t) => {
  const state = await loadDomainState(storageOn(emptyDisk()), domainOf)
  await state.commit(({ domains }) => {
    domains.set(host, domainOf(host, { state: 'live', certificate }))
    domains.set('new.shop.test', domainOf('new.shop.test', { state: 'issuing' }))
    for (const name of ['none.shop.test', 'broken.shop.test']) domains.set(name, domainOf(name, { state: 'live' }))
  })
  const stored = new Map([
    [host, await certificateAt(host, begin)],
    ['broken.shop.test', 'rubbish'],
  ])
  const used: string[] = []
  const follow = sharedCertificates(state, { loadCertificate: async (name) => stored.get(name) }, (name) => {
    used.push(name)
  })
  await follow()
  await follow()
  t.strictSame(used, [host])
  stored.set('none.shop.test', await certificateAt('none.shop.test', begin))
  await follow()
  t.strictSame(used, [host, 'none.shop.test'], 'a missing one is loaded again')
  await state.commit(({ domains }) =>
    domains.set(host, domainOf(host, { state: 'live', issuedAt: 'later', certificate })),
  )
  await follow()
  t.strictSame(used, [host, 'none.shop.test', host])
  const renewal = { start: '', end: '', at: '', checkAt: 'tomorrow' }
  await state.commit(({ domains }) =>
    domains.set(host, domainOf(host, { state: 'live', issuedAt: 'later', certificate: { ...certificate, renewal } })),
  )
  await follow()
  t.strictSame(used, [host, 'none.shop.test', host], 'another renewal window does not reload the certificate')
})

t.test('certificates are read one at a time, and again after an error', async (t) => {
  const state = await loadDomainState(storageOn(emptyDisk()), domainOf)
  await state.commit(({ domains }) => domains.set(host, domainOf(host, { state: 'live', certificate })))
  const { promise, resolve } = deferred<string>()
  let reads = 0
  const follow = sharedCertificates(
    state,
    {
      async loadCertificate() {
        reads++
        throw new Error(await promise)
      },
    },
    () => t.fail('there is none'),
  )
  const first = follow()
  await follow()
  t.equal(reads, 1)
  resolve('no')
  await t.rejects(first, { message: 'no' })
  await t.rejects(follow(), { message: 'no' })
})

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
  t.strictSame((await storage.loadState()).challenges, { token: 'key authorization' })
  await challenges.delete('token')
  t.equal(state.current().challenges?.size, 0)
})
