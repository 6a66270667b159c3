import t from 'tap'
import { deferred } from '../../../../test/fixtures/deferred.ts'
import { messageOf } from '../../../../test/fixtures/message.ts'
import type { RedirectStatus } from '../../src/state/domain.ts'
import { type DomainState, loadDomainState, NotSavedError } from '../../src/state/domain-state.ts'
import type { Draft } from '../../src/state/snapshot.ts'
import { ConflictError } from '../../src/state/storage.ts'
import { type Disk, domainOf, emptyDisk, storageOn } from '../fixtures/domains.ts'

const find = (host: string) => domainOf(host, { state: 'verifying' })
const full = () => {
  throw new Error('ENOSPC: no space left on device')
}

const [one, two, three] = ['one.shop.test', 'two.shop.test', 'three.shop.test']
const redirects = (...hosts: string[]) => new Map<string, RedirectStatus>(hosts.map((host) => [host, 301]))

/** Three domains; the first is primary, and the second redirects to it. */
async function threeDomains(): Promise<Disk> {
  const disk = emptyDisk()
  const state = await loadDomainState(storageOn(disk), find)
  await state.commit((draft) => {
    for (const host of [one, two, three]) draft.domains.set(host, domainOf(host))
    draft.primary = one
    draft.redirects.set(two, 301)
  })
  return disk
}

function shownOf(state: DomainState) {
  const { domains, primary, redirects } = state.current()
  return { hosts: [...domains.keys()], primary, redirects: [...redirects] }
}

const changes: Record<string, (draft: Draft) => void> = {
  'adding a domain': ({ domains }) => domains.set('four.shop.test', domainOf('four.shop.test')),
  'adding a domain that redirects': ({ domains, redirects }) => {
    domains.set('four.shop.test', domainOf('four.shop.test'))
    redirects.set('four.shop.test', 308)
  },
  'removing one that is not named': ({ domains }) => domains.delete(three),
  'removing one that redirects': ({ domains }) => domains.delete(two),
  'removing the primary one': ({ domains }) => domains.delete(one),
  'choosing another primary one': (draft) => {
    draft.primary = two
  },
  'setting a redirect': ({ redirects }) => redirects.set(three, 302),
  'removing a redirect': ({ redirects }) => redirects.delete(two),
  'a step of a domain': ({ domains }) => domains.set(one, domainOf(one, { state: 'verified' })),
}

t.test('only existing domains are primary or redirect, and only to another one', async (t) => {
  const disk = await threeDomains()
  const state = await loadDomainState(storageOn(disk), find)
  const committed = async (change: (draft: Draft) => void) => {
    await state.commit(change)
    const { primary, redirects } = shownOf(state)
    return [primary, redirects]
  }
  t.strictSame(await committed(({ redirects }) => redirects.set('none.shop.test', 301)), [one, [[two, 301]]])
  t.strictSame(await committed(({ redirects }) => redirects.set(one, 301)), [one, [[two, 301]]])
  t.strictSame(await committed(changes['setting a redirect'] as never), [
    one,
    [
      [two, 301],
      [three, 302],
    ],
  ])
  t.strictSame(await committed(changes['choosing another primary one'] as never), [two, [[three, 302]]])
  t.strictSame(await committed(changes['removing one that redirects'] as never), [undefined, []])
})

t.test('a committed change survives a restart', async (t) => {
  for (const [name, change] of Object.entries(changes)) {
    const disk = await threeDomains()
    const state = await loadDomainState(storageOn(disk), find)
    await state.commit(change)
    const restarted = await loadDomainState(storageOn(disk), find)
    t.strictSame(restarted.current(), state.current(), name)
    t.equal(JSON.parse(String(disk.state)).configuration, undefined)
  }
})

t.test('a crash at any write leaves a change either complete or undone', async (t) => {
  for (const [name, change] of Object.entries(changes)) {
    const before = await loadDomainState(storageOn(await threeDomains()), find)
    const after = await loadDomainState(storageOn(await threeDomains()), find)
    await after.commit(change)
    const outcomes = []
    for (let writes = 0; writes < 4; writes++) {
      const disk = await threeDomains()
      const start = disk.writes.length + 1 // loading writes once
      const state = await loadDomainState(
        storageOn(disk, () => {
          if (disk.writes.length === start + writes) throw new Error('the process is gone')
        }),
        find,
      )
      await state.commit(change).catch(() => {})
      const restarted = shownOf(await loadDomainState(storageOn(disk), find))
      outcomes.push(JSON.stringify(restarted) === JSON.stringify(shownOf(after)))
      t.strictSame(restarted, shownOf(writes === 0 ? before : after), `${name}, ${writes} writes`)
    }
    t.equal(outcomes.at(-1), true)
  }
})

t.test('a change that cannot be saved is rejected without effect, also after a restart', async (t) => {
  for (const failing of ['state', 'configuration']) {
    const disk = await threeDomains()
    let isFull = false
    const state = await loadDomainState(
      storageOn(disk, (write) => {
        if (isFull && write === failing) full()
      }),
      find,
    )
    const before = shownOf(state)
    isFull = true
    t.equal(
      await messageOf(() => state.commit(changes['removing the primary one'] as never)),
      'ENOSPC: no space left on device',
    )
    t.strictSame(shownOf(state), before, failing)
    t.strictSame(shownOf(await loadDomainState(storageOn(disk), find)), before, failing)
    isFull = false
    await state.commit(changes['removing the primary one'] as never)
    t.strictSame(shownOf(state), { hosts: [two, three], primary: undefined, redirects: [] })
  }
})

t.test('a change that can be neither completed nor undone takes effect, and the next one completes it', async (t) => {
  const disk = await threeDomains()
  let writes = 1
  const state = await loadDomainState(
    storageOn(disk, () => {
      if (writes-- <= 0) full()
    }),
    find,
  )
  writes = 1
  await state.commit(changes['removing the primary one'] as never)
  const after = { hosts: [two, three], primary: undefined, redirects: [] }
  t.strictSame(shownOf(state), after)
  t.strictSame(shownOf(await loadDomainState(storageOn(structuredClone(disk)), find)), after)
  writes = Number.POSITIVE_INFINITY
  await state.commit(() => {})
  t.strictSame(JSON.parse(String(disk.configuration)), { domains: { redirects: [] } })
})

t.test('undoing a change keeps an earlier one whose configuration could not be saved', async (t) => {
  const disk = await threeDomains()
  const failing: boolean[] = []
  const state = await loadDomainState(
    storageOn(disk, () => {
      if (failing.shift()) full()
    }),
    find,
  )
  failing.push(false, true, true) // the configuration, and the undo
  await state.commit(changes['choosing another primary one'] as never)
  const before = shownOf(state)
  t.equal(before.primary, two)
  failing.push(false, true, false) // the configuration
  const message = await messageOf(() => state.commit(changes['adding a domain'] as never))
  t.equal(message, 'ENOSPC: no space left on device')
  t.strictSame([failing, shownOf(state)], [[], before])
  t.strictSame(shownOf(await loadDomainState(storageOn(disk), find)), before)
})

t.test('a change takes effect even if the copy of its configuration stays, and the next one clears it', async (t) => {
  const disk = await threeDomains()
  const start = disk.writes.length + 1
  const state = await loadDomainState(
    storageOn(disk, () => {
      if (disk.writes.length === start + 2) {
        disk.writes.push('state')
        full()
      }
    }),
    find,
  )
  await state.commit(changes['choosing another primary one'] as never)
  t.equal(state.current().primary, two)
  t.type(JSON.parse(String(disk.state)).configuration, 'string')
  await state.commit(() => {})
  t.equal(JSON.parse(String(disk.state)).configuration, undefined)
})

t.test('concurrent changes are applied in order, each on top of the last', async (t) => {
  const disk = emptyDisk()
  const state = await loadDomainState(storageOn(disk), find)
  const hosts = Array.from({ length: 20 }, (_, index) => `d${index}.shop.test`)
  const counts = await Promise.all(
    hosts.map((host) => state.commit(({ domains }) => domains.set(host, domainOf(host)).size)),
  )
  t.strictSame(
    counts,
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
  t.strictSame([...(await loadDomainState(storageOn(disk), find)).current().domains.keys()], hosts)
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

t.test('an unsaved change takes effect, and the next commit saves it', async (t) => {
  const disk = await threeDomains()
  let isFull = false
  const state = await loadDomainState(
    storageOn(disk, () => isFull && full()),
    find,
  )
  const { length } = disk.writes
  const failed = domainOf(one, { state: 'failed' })
  const other = state.commit(({ domains }) => domains.delete(three))
  await other
  isFull = true
  const error = await state.apply(({ domains }) => domains.set(one, failed))
  t.ok(error instanceof NotSavedError)
  t.equal(error?.message, 'ENOSPC: no space left on device')
  t.equal(state.unsaved(), error)
  t.equal(disk.writes.length, length + 1, 'only what was committed before it')
  t.strictSame(state.current().domains.get(one), failed)
  isFull = false
  t.equal(await state.apply(() => {}), undefined)
  t.equal(state.unsaved(), undefined)
  t.strictSame((await loadDomainState(storageOn(disk), find)).current(), state.current())
})

t.test('a change that throws is not applied', async (t) => {
  const state = await loadDomainState(storageOn(await threeDomains()), find)
  const failing = state.apply(() => {
    throw new Error('no')
  })
  t.equal(await messageOf(() => failing), 'no')
  t.equal(state.unsaved(), undefined)
})

t.test('with a full disk, the state is loaded, and the domains of the configuration are added', async (t) => {
  const disk = await threeDomains()
  disk.configuration = JSON.stringify({ domains: { primary: 'new.shop.test' } })
  const state = await loadDomainState(storageOn(disk, full), find)
  t.strictSame(shownOf(state), { hosts: [one, two, three, 'new.shop.test'], primary: 'new.shop.test', redirects: [] })
  t.equal(state.unsaved()?.message, 'ENOSPC: no space left on device')
})

t.test('closing waits for pending changes, and rejects later ones', async (t) => {
  const disk = await threeDomains()
  const state = await loadDomainState(storageOn(disk), find)
  const last = state.commit(changes['removing one that is not named'] as never)
  await Promise.all([state.close(), last])
  t.equal(
    await messageOf(() => state.commit(() => {})),
    'the domains can no longer be changed: the server is shutting down',
  )
  t.strictSame(shownOf(await loadDomainState(storageOn(disk), find)).hosts, [one, two])
})

t.test('an edited configuration takes effect and adds its new domains', async (t) => {
  const disk = await threeDomains()
  disk.configuration = JSON.stringify({
    domains: { primary: 'new.shop.test', redirects: [{ from: one, to: 'new.shop.test', status: 307 }] },
  })
  const state = await loadDomainState(storageOn(disk), find)
  t.strictSame(shownOf(state), {
    hosts: [one, two, three, 'new.shop.test'],
    primary: 'new.shop.test',
    redirects: [[one, 307]],
  })
  t.equal(state.current().domains.get('new.shop.test')?.state, 'verifying')
  t.equal(state.current().domains.get(one)?.state, 'added')
})

t.test('an unreadable configuration, or an invalid domain, stops the start and changes nothing', async (t) => {
  const disk = await threeDomains()
  const kept = structuredClone(disk)
  const reject = (host: string) => {
    throw new Error(`${host} is rejected`)
  }
  disk.configuration = '{"domains":{"primary":"new.shop.test"}}'
  t.equal(await messageOf(() => loadDomainState(storageOn(disk), reject)), 'new.shop.test is rejected')
  disk.configuration = '{'
  t.match(await messageOf(() => loadDomainState(storageOn(disk), reject)), /^the file is not JSON/)
  t.strictSame({ ...disk, configuration: kept.configuration }, kept)
})

t.test('a change is not visible before it is saved', async (t) => {
  const disk = await threeDomains()
  const { promise, resolve } = deferred<void>()
  const storage = storageOn(disk)
  const slow = { ...storage, saveConfiguration: (next: never) => promise.then(() => storage.saveConfiguration(next)) }
  const state = await loadDomainState(slow, find)
  const first = state.commit(changes['removing the primary one'] as never)
  const second = state.commit(({ domains }) => [...domains.keys()])
  t.strictSame(shownOf(state), { hosts: [one, two, three], primary: one, redirects: [...redirects(two)] })
  resolve()
  await first
  t.strictSame(await second, [two, three])
})

t.test('a state that another instance has changed cannot be saved if it cannot be loaded', async (t) => {
  const storage = storageOn(emptyDisk())
  let [areOthers, isAway] = [false, false]
  const state = await loadDomainState(
    {
      ...storage,
      loadState: async () => (isAway ? Promise.reject(new Error('PostgreSQL is unreachable')) : storage.loadState()),
      saveState: async (next) => (areOthers ? Promise.reject(new ConflictError('changed')) : storage.saveState(next)),
    },
    find,
  )
  areOthers = isAway = true
  const add = changes['adding a domain'] as (draft: Draft) => void
  t.match(await state.apply(add), new NotSavedError('PostgreSQL is unreachable'))
  t.strictSame(shownOf(state).hosts, ['four.shop.test'])
})

t.test('a programming error is not shown to users', async (t) => {
  const error = new TypeError("Cannot read properties of undefined (reading 'x')")
  const state = await loadDomainState(
    storageOn(await threeDomains(), () => {
      throw error
    }),
    find,
  )
  const rejected = await state.commit(() => {}).catch((rejected) => rejected)
  t.match(rejected, { name: 'Error', message: 'an internal error, which the log describes', cause: error })
})
