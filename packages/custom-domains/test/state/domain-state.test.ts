import t from 'tap'
import { messageOf } from 'test-kit/message'
import type { Domain, Redirect } from '../../src/state/domain.ts'
import { type DomainState, loadDomainState, NotSavedError, ofStorage } from '../../src/state/domain-state.ts'
import type { Draft } from '../../src/state/snapshot.ts'
import {
  ConflictError,
  type DomainStorage,
  LeadershipLostError,
  type SharedStorage,
  StorageUnavailableError,
} from '../../src/state/storage.ts'
import { type Disk, diskOf, full, put, storageOn } from '../fixtures/disk.ts'
import { domainOf } from '../fixtures/domains.ts'

const find = (host: string) => domainOf(host, { state: 'verifying' })

const [one, two, three] = ['one.shop.test', 'two.shop.test', 'three.shop.test']

/** Three domains; the first has a role, and the second redirects to it. */
async function threeDomains(): Promise<Disk> {
  const disk = diskOf()
  const state = await loadDomainState(storageOn(disk), find)
  await state.commit((draft) => {
    for (const host of [one, two, three]) draft.domains.set(host, domainOf(host))
    draft.roles.set('primary', one)
    draft.redirects.set(two, { to: one, status: 301 })
  })
  return disk
}

/** As a user edits the file. */
function configure(disk: Disk, primary: string, ...redirects: [from: string, redirect: Redirect][]) {
  for (const [id, { kind }] of disk.records) if (kind === 'redirect') disk.records.delete(id)
  const named = redirects.map(([name, value]) => ({ kind: 'redirect', name, value }))
  put(disk, [{ kind: 'primary', name: '', value: primary }, ...named])
}

function shownOf(state: DomainState) {
  const { domains, roles, redirects } = state.current()
  return { hosts: [...domains.keys()].sort(), primary: roles.get('primary'), redirects: [...redirects].sort() }
}

t.test('a change that changes nothing writes nothing, unless the last one could not be saved', async (t) => {
  const disk = await threeDomains()
  let isFull = false
  const storage = storageOn(disk, () => isFull && full())
  const state = await loadDomainState(storage, find)
  const { length } = disk.writes
  await state.commit(({ domains }) => domains.set(one, domains.get(one) as Domain))
  t.equal(disk.writes.length, length)
  isFull = true
  await state.commit(({ domains }) => domains.delete(one)).catch(() => {})
  t.ok(await state.apply(() => {}), 'the disk is still full')
  isFull = false
  t.equal(await state.apply(() => {}), undefined)
  t.equal(state.unsaved(), undefined)
})

t.test('a change that throws has no effect, and does not block the next', async (t) => {
  const state = await loadDomainState(storageOn(await threeDomains()), find)
  const before = state.current()
  const failing = state.commit(({ domains }) => {
    domains.clear()
    throw new Error('no')
  })
  const next = state.commit(({ domains }) => domains.size)
  t.equal(await messageOf(() => failing), 'no')
  t.equal(await next, 3)
  t.strictSame(state.current(), before)
})

t.test('with a full disk, the state is loaded, and the domains of the configuration are added', async (t) => {
  const disk = await threeDomains()
  configure(disk, 'new.shop.test')
  const state = await loadDomainState(storageOn(disk, full), find)
  t.strictSame(shownOf(state), { hosts: ['new.shop.test', one, three, two], primary: 'new.shop.test', redirects: [] })
  t.equal(state.unsaved()?.message, 'ENOSPC: no space left on device')
})

t.test('closing waits for pending changes, and rejects later ones', async (t) => {
  const disk = await threeDomains()
  const state = await loadDomainState(storageOn(disk), find)
  const last = state.commit(({ domains }) => domains.delete(three))
  await Promise.all([state.close(), last])
  const ended = 'the domains can no longer be changed: the server is shutting down'
  t.equal(await messageOf(() => state.commit(() => {})), ended)
  t.strictSame(shownOf(await loadDomainState(storageOn(disk), find)).hosts, [one, two])
})

t.test('an edited configuration takes effect and adds its new domains', async (t) => {
  const disk = await threeDomains()
  configure(disk, 'new.shop.test', [one, { to: 'new.shop.test', status: 307 }])
  const state = await loadDomainState(storageOn(disk), find)
  const redirects = [[one, { to: 'new.shop.test', status: 307 }]]
  t.strictSame(shownOf(state), { hosts: ['new.shop.test', one, three, two], primary: 'new.shop.test', redirects })
  t.equal(state.current().domains.get('new.shop.test')?.state, 'verifying')
  t.equal(state.current().domains.get(one)?.state, 'added')
})

t.test('an invalid domain of the configuration stops the start and changes nothing', async (t) => {
  const disk = await threeDomains()
  configure(disk, 'new.shop.test')
  const kept = structuredClone(disk)
  const reject = (host: string) => {
    throw new Error(`${host} is rejected`)
  }
  t.equal(await messageOf(() => loadDomainState(storageOn(disk), reject)), 'new.shop.test is rejected')
  t.strictSame(disk, kept)
})

t.test('a state that another instance has changed cannot be saved if it cannot be loaded', async (t) => {
  const storage = storageOn(diskOf())
  let isAway = false
  const failing: DomainStorage = {
    ...storage,
    load: async () => (isAway ? Promise.reject(new Error('PostgreSQL is unreachable')) : storage.load()),
    save: async (...given) => (isAway ? Promise.reject(new ConflictError('changed')) : storage.save(...given)),
  }
  const state = await loadDomainState(failing, find)
  isAway = true
  const add = ({ domains }: Draft) => void domains.set('four.shop.test', domainOf('four.shop.test'))
  t.match(await state.apply(add), new NotSavedError('PostgreSQL is unreachable'))
  t.strictSame(shownOf(state).hosts, ['four.shop.test'])
})

t.test('what another instance has just added is read on request', async (t) => {
  const disk = diskOf()
  const state = await loadDomainState({ ...storageOn(disk), shared: {} as SharedStorage }, find)
  put(disk, [{ kind: 'domain', name: one, value: domainOf(one) }])
  await state.refresh()
  t.strictSame(shownOf(state).hosts, [one])
})

t.test('a programming error is not shown to users', async (t) => {
  for (const error of [new TypeError("Cannot read properties of undefined (reading 'x')"), new RangeError('Invalid')]) {
    const storage = storageOn(await threeDomains(), () => Promise.reject(error))
    const state = await loadDomainState(storage, find)
    const rejected = await state.commit(({ domains }) => domains.delete(one)).catch((rejected) => rejected)
    t.match(rejected, { name: 'Error', message: 'an internal error, which the log describes', cause: error })
  }
})

t.test('errors of the storage are named, unless they have a name', async (t) => {
  for (const error of [new LeadershipLostError('another instance leads'), new StorageUnavailableError('no', 1)])
    t.equal(await ofStorage(Promise.reject(error)).catch((rejected) => rejected), error)
  const failing = Promise.reject(new Error('/data/orders cannot be written: EIO'))
  await t.rejects(ofStorage(failing), new NotSavedError('the storage cannot be written: EIO'), 'without its path')
})
