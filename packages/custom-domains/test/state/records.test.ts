import t from 'tap'
import { loadDomainState } from '../../src/state/domain-state.ts'
import { changesBetween, type Damage, faultOf, hostsThatDiffer, snapshotOf } from '../../src/state/records.ts'
import { emptySnapshot } from '../../src/state/snapshot.ts'
import type { RecordKind, StoredRecord } from '../../src/state/storage.ts'
import { begin, DAY } from '../fixtures/clock.ts'
import { diskOf, domainsOn, storageOn } from '../fixtures/disk.ts'
import { domainOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const message = (id: string, timestamp: string) =>
  ({ kind: 'message', name: id, value: { id, event: { timestamp } } }) as const

function create(name: string) {
  if (name.includes(' ')) throw new Error('no host')
  return domainOf(name)
}

t.test('a value that is not of its kind is a fault', async (t) => {
  const domain = domainOf(host)
  const unknownFailures = 'failures must be a list of known problems, each with its authority'
  const cases: [kind: RecordKind, value: unknown, fault: string | undefined][] = [
    ['domain', domain, undefined],
    ['domain', null, `name.host is not ${host}`],
    ['domain', domainOf('other.shop.test'), `name.host is not ${host}`],
    ['domain', { ...domain, state: 'alive' }, 'state must be one of added, verifying, verified, issuing, live, failed'],
    ['domain', { ...domain, problem: { code: 'toString' } }, 'problem.code is unknown: toString'],
    ['domain', { ...domain, failures: [{ authority: 'https://ca.test', problem: { code: 'ca_refused' } }] }, undefined],
    ...[{}, [null], [{ authority: 'ca' }], [{ authority: 'https://ca.test', problem: { code: 'later' } }]].map(
      (failures): (typeof cases)[number] => ['domain', { ...domain, failures }, unknownFailures],
    ),
    ['domain', { ...domain, attempts: '1' }, 'attempts must be a number'],
    ['domain', { ...domain, addedAt: 'then' }, 'addedAt must be a time'],
    ['redirect', { to: 'docs.shop.test', status: 301 }, undefined],
    ['redirect', { to: 'docs.shop.test', status: 300 }, 'it has no target, or no status of a redirect'],
    ['redirect', null, 'it has no target, or no status of a redirect'],
    ['order', {}, undefined],
    ['order', null, 'it must be of type object'],
    ...(['message', 'backoff'] as const).map((kind): (typeof cases)[number] => [kind, '', 'it must be of type object']),
    ['account', 'https://ca.test/1', undefined],
    ['account', 1, 'it must be of type string'],
    ['account', undefined, undefined],
  ]
  for (const [kind, value, fault] of cases) t.equal(faultOf({ kind, name: host, value }), fault)
  t.equal(faultOf({ kind: 'account', name: host, value: undefined, fault: 'EIO' }), 'EIO')
})

t.test('a record with an empty name is a role; others of unknown kinds are those of a later release', async (t) => {
  const later: StoredRecord = { kind: 'later', name: 'x', value: 1 }
  t.equal(faultOf(later), undefined)
  t.equal(faultOf({ kind: 'primary', name: '', value: 1 }), 'it must be of type string')
  const snapshot = snapshotOf([later, { kind: 'primary', name: '', value: host }])
  t.strictSame([...snapshot.roles], [['primary', host]])
  t.strictSame(changesBetween(snapshot, emptySnapshot), [{ kind: 'primary', name: '', value: undefined }])
})

t.test('domains and messages are in the order of time, and the platform domain comes first', async (t) => {
  const added = (name: string, days: number, isPlatform?: true): StoredRecord => {
    const addedAt = new Date(begin.getTime() + days * DAY).toISOString()
    return { kind: 'domain', name, value: domainOf(name, { addedAt, ...(isPlatform && { isPlatform }) }) }
  }
  const records = [added('c.test', 2), added('a.test', 2), added('b.test', 1), added('platform.test', 3, true)]
  const messages = [message('late', '2026-01-02'), message('early', '2026-01-01'), message('same', '2026-01-01')]
  const { domains, outbox } = snapshotOf([...records, ...messages])
  t.strictSame([...domains.keys()], ['platform.test', 'b.test', 'a.test', 'c.test'])
  t.strictSame([...outbox.keys()], ['early', 'same', 'late'])
})

t.test('of two states, the hosts whose domain, certificate, redirect or role differs are found', async (t) => {
  const stateWith = (...records: [kind: string, name: string, value: unknown][]) =>
    snapshotOf(
      [['domain', host, domainOf(host)] as const, ...records].map(([kind, name, value]) => ({ kind, name, value })),
    )
  const certificate = { issuer: '', notBefore: begin.toISOString(), notAfter: '' }
  const different = [
    stateWith(['domain', host, domainOf(host, { addedAt: '2026-01-02' })]),
    stateWith(['domain', host, domainOf(host, { certificate })]),
    stateWith(['redirect', host, { to: 'other.test', status: 301 }]),
    stateWith(['primary', '', host]),
    emptySnapshot,
  ]
  for (const each of different) t.strictSame(hostsThatDiffer(each, stateWith()), [host])
  t.strictSame(hostsThatDiffer(stateWith(['domain', host, domainOf(host, { attempts: 1 })]), stateWith()), [])
})

t.test('a damaged domain is served while its certificate is valid; nothing overwrites its record', async (t) => {
  const disk = diskOf()
  const value = { owner: 'shop', target: 7, data: 'kept', proof: 'none' }
  const target = 'customers.example'
  const broken = (name: string, kind: RecordKind = 'domain') => {
    return { kind, name, value: name === host ? { ...value, target } : value, fault: 'half a file' }
  }
  const names = [host, 'expired.shop.test', 'none.shop.test', 'not a host']
  const certificate = { issuer: 'Tests', notBefore: '', notAfter: new Date(begin.getTime() + DAY).toISOString() }
  const certificates = new Map([
    [host, certificate],
    ['expired.shop.test', { ...certificate, notAfter: begin.toISOString() }],
  ])
  const records = [...names.map((name) => broken(name)), broken('https://ca.test', 'account')]
  let isWhole = true
  const storage = { ...storageOn(disk), load: async () => ({ version: '', isWhole, records }) }
  const state = await loadDomainState(storage, create, { certificateOf: async (host) => certificates.get(host) })
  const shown = () => [...state.current().domains].map(([name, domain]) => `${name} ${domain.state}`).sort()
  t.strictSame(shown(), [`${host} live`, 'expired.shop.test failed', 'none.shop.test failed'])
  const problem = { code: 'record_damaged', detail: 'half a file' }
  t.match(state.current().domains.get(host), { certificate, owner: 'shop', target, data: 'kept', problem })
  t.match(state.current().domains.get('none.shop.test'), { target: undefined, proof: undefined })
  const damage = () => state.damaged().map(({ kind, name }: Damage) => `${kind} ${name}`)
  const damaged = names.map((name) => `domain ${name}`)
  t.strictSame(damage(), [...damaged, 'account https://ca.test'])

  await state.commit(({ accounts }) => accounts.set('https://ca.test', 'https://ca.test/2'))
  await state.commit(({ domains }) => domains.delete(host))
  t.strictSame(domainsOn(disk), [])
  t.strictSame(damage(), damaged.slice(1))
  records.splice(0, records.length)
  isWhole = false
  await state.reload()
  t.equal(damage().length, 3)
  isWhole = true
  await state.reload()
  t.strictSame([damage(), shown()], [[], []])
})
